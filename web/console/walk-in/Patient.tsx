import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { withoutSeparators } from '../../../src/core/search/phone-rules.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { formatPhone, phoneTail } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { birthDate } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import type { Chosen } from './chosen.ts';
import { SearchFailure, useFound } from './Search.tsx';
import style from './WalkIn.module.css';

export interface Fresh {
  name: string;
  phone: string;
  birth: string;
}
export const emptyPatient: Fresh = { name: '', phone: '', birth: '' };

/** The names of its fields in error messages. */
export const patientLabels = (): Readonly<Record<string, string>> => {
  const { name, phone, birth } = desk.value.walkIn;
  return { name, phone_number: phone, birth_date: birth };
};

export const describePatient = (one: Chosen): string =>
  [one.birth_date && birthDate(one.birth_date), phoneTail(one), one.medical_record_number]
    .filter(Boolean)
    .join(' · ');

interface Props {
  chosen: Signal<Chosen | null>;
  fresh: Signal<Fresh>;
  fields: Readonly<Record<string, string[]>>;
  /** The patient is known: on to the times. */
  onReady: () => void;
}

/** Finds a patient by name or phone, or takes down a new one, in the same field. */
export const PatientPicker = ({ chosen, fresh, fields, onReady }: Props) => {
  const text = desk.value.walkIn;
  const typed = useSignal('');
  const isNew = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const phone = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const search = useFound(isNew.value ? '' : typed.value);
  const { found } = search;
  const isLong = typed.value.trim().length >= 3;
  useLayoutEffect(() => {
    if (chosen.value === null && !isNew.value) input.current?.focus();
  }, [chosen.value === null, isNew.value]);

  // As soon as the fields are in the page: somebody who continues to type gets the right field.
  const wanted = useRef<typeof name | null>(null);
  useLayoutEffect(() => {
    wanted.current?.current?.focus();
    wanted.current = null;
  }, [isNew.value]);

  // In the same render, not a moment later: the next key is for the times.
  const isJustChosen = useRef(false);
  useLayoutEffect(() => {
    if (chosen.value === null || !isJustChosen.current) return;
    isJustChosen.current = false;
    onReady();
  }, [chosen.value]);
  const choose = (one: Chosen): void => {
    isJustChosen.current = true;
    chosen.value = one;
  };
  const startNew = (): void => {
    const sought = typed.peek().trim();
    const isPhone = /^\+?\d+$/.test(withoutSeparators(sought));
    fresh.value = { ...emptyPatient, ...(isPhone ? { phone: sought } : { name: sought }) };
    wanted.current = isPhone ? name : phone;
    isNew.value = true;
  };
  // Enter may come before the answer; it then applies to the text at that time.
  const isAwaited = useRef(false);
  const settle = (): void => {
    if (!isAwaited.current || found === undefined) return;
    isAwaited.current = false;
    const [only] = found;
    if (only === undefined) startNew();
    else if (found.length === 1) choose(only);
    else list.current?.querySelector('button')?.focus();
  };
  useLayoutEffect(settle);

  if (chosen.value !== null)
    return (
      <div class={style.chosen}>
        <div>
          <p class={look.soft}>{text.chosen}</p>
          <p class={look.strong}>{chosen.value.name}</p>
          <p class={look.soft}>
            {[formatPhone(chosen.value), chosen.value.birth_date, chosen.value.medical_record_number]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <Button
          small
          onClick={() => {
            chosen.value = null;
            isNew.value = false;
            fresh.value = emptyPatient;
          }}
        >
          {text.other}
        </Button>
      </div>
    );

  if (isNew.value) {
    const set = (part: Partial<Fresh>) => (fresh.value = { ...fresh.value, ...part });
    return (
      <div class={look.form}>
        <Field
          label={text.name}
          required
          maxLength={100}
          inputRef={name}
          autocomplete="off"
          value={fresh.value.name}
          onInput={(event) => set({ name: event.currentTarget.value })}
          errors={fields.name}
        />
        <Field
          label={text.phone}
          type="tel"
          before="+62"
          inputRef={phone}
          autocomplete="off"
          value={fresh.value.phone}
          onInput={(event) => set({ phone: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            onReady();
          }}
          errors={fields.phone_number}
        />
        <DateField
          label={text.birth}
          optional
          max={today()}
          value={fresh.value.birth}
          onInput={(event) => set({ birth: event.currentTarget.value })}
          errors={fields.birth_date}
        />
        <Button
          small
          look="quiet"
          onClick={() => {
            isNew.value = false;
            fresh.value = emptyPatient;
          }}
        >
          {text.other}
        </Button>
      </div>
    );
  }

  return (
    <div class={look.form}>
      <Field
        label={text.find}
        hint={text.findHint}
        type="search"
        inputRef={input}
        autocomplete="off"
        value={typed.value}
        onInput={(event) => {
          isAwaited.current = false;
          typed.value = event.currentTarget.value;
        }}
        onBlur={() => (isAwaited.current = false)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey) return;
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            list.current?.querySelector('button')?.focus();
          }
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (!isLong) return;
          isAwaited.current = true;
          if (search.failure !== null) void search.again();
          settle();
        }}
      />
      {isLong && (
        <>
          <SearchFailure of={search} field={input} />
          <p class={look.soft} role="status">
            {found === undefined ? '' : text.found(found.length)}
          </p>
          <ul
            ref={list}
            class={style.found}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
              if (step === 0) return;
              event.preventDefault();
              const all = [...event.currentTarget.querySelectorAll('button')];
              const next = all.indexOf(document.activeElement as HTMLButtonElement) + step;
              if (next < 0) input.current?.focus();
              else all[Math.min(next, all.length - 1)]?.focus();
            }}
          >
            {found?.map((one) => (
              <li key={one.id}>
                <button type="button" class={style.person} onClick={() => choose(one)}>
                  <span class={look.strong}>{one.name}</span>
                  <span class={look.soft}>{describePatient(one)}</span>
                </button>
              </li>
            ))}
            <li>
              <button type="button" class={style.person} onClick={startNew}>
                <span class={look.strong}>{text.fresh}</span>
                <span class={look.soft}>{typed.value.trim()}</span>
              </button>
            </li>
          </ul>
        </>
      )}
    </div>
  );
};
