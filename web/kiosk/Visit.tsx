import { signal, useSignal } from '@preact/signals';
import { Keyboard, Languages, Printer } from 'lucide';
import { useEffect } from 'preact/hooks';
import { Refused } from '../shared/api/take.ts';
import { serviceNow } from '../shared/clock.ts';
import { DateField } from '../shared/dates/DateField.tsx';
import { language } from '../shared/preferences.ts';
import { paper } from '../shared/slip/paper.ts';
import { clockTime, dateOf, zoneName } from '../shared/time.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { TicketNumber } from '../shared/ui/TicketNumber.tsx';
import { switchLanguage } from '../shared/words.ts';
import style from './App.module.css';
import { Camera } from './Camera.tsx';
import { type CheckedIn, checkIn, clinicName } from './device.ts';
import { Screen } from './Screen.tsx';
import { words } from './words.ts';

type Step =
  | { name: 'start' }
  | { name: 'typed' }
  | { name: 'busy' }
  | { name: 'here'; visit: CheckedIn }
  /** Without a sentence of the service nobody knows whether it checked the patient in. */
  | { name: 'refused'; sentence: string | null };

/** Where this patient is; the next one begins at the start, in Indonesian, and sees nothing of it. */
const step = signal<Step>({ name: 'start' });

const toStart = (): void => {
  step.value = { name: 'start' };
  if (language.peek() !== 'id') void switchLanguage('id').catch(() => {});
};

const codeForm = /^[2-9A-HJKMNP-TV-Z]{8}$/;
const plain = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

const printSlip = async (visit: CheckedIn): Promise<void> => {
  const width = paper.peek();
  if (width === null) return;
  const print = await import('../shared/slip/print.tsx');
  await print.printSlip({ ...visit, clinic: clinicName.peek(), name: null }, width);
};

/** A connection that answers nothing holds up nobody; an answer that comes later is for nobody's eyes. */
const tooLate = (): Promise<never> => new Promise((_, fail) => setTimeout(fail, 20_000));

const attempt = async (given: { code: string; birth_date?: string }): Promise<void> => {
  if (step.peek().name === 'busy') return;
  step.value = { name: 'busy' };
  try {
    const visit = await Promise.race([checkIn(given), tooLate()]);
    step.value = { name: 'here', visit };
  } catch (error) {
    step.value = { name: 'refused', sentence: error instanceof Refused ? error.message : null };
  }
};

/** The seconds until it goes back to the start; a press gives as many again. */
const useLeft = (seconds: number) => {
  const left = useSignal(seconds);
  useEffect(() => {
    const again = (): void => {
      left.value = seconds;
    };
    const timer = setInterval(() => {
      left.value -= 1;
      if (left.peek() <= 0) toStart();
    }, 1_000);
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, again);
    return () => {
      clearInterval(timer);
      for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, again);
    };
  }, []);
  return left;
};

const Leaving = ({ seconds }: { seconds: number }) => {
  const left = useLeft(seconds);
  return (
    <p class={style.leaving}>
      <span class="tnum">{words.value.leaves(left.value)}</span>
      <Button small onClick={() => (left.value = seconds)}>
        {words.value.stay}
      </Button>
    </p>
  );
};

/** A person who chose another language and left chose it for themselves alone. */
const OtherLanguage = () => {
  useLeft(60);
  return null;
};

const Start = () => {
  const text = words.value;
  const hasCamera = useSignal(true);
  const seen = (code: string): void => {
    const plainCode = plain(code);
    if (codeForm.test(plainCode)) void attempt({ code: plainCode });
  };
  return (
    <Screen title={text.show}>
      {hasCamera.value ? (
        <>
          <Camera onText={seen} onLost={() => (hasCamera.value = false)} />
          <p class={style.large}>{text.showHint}</p>
        </>
      ) : (
        <p class={style.large} role="status">
          {text.noCamera}
        </p>
      )}
      <div class={style.buttons}>
        <Button look="primary" icon={Keyboard} wide onClick={() => (step.value = { name: 'typed' })}>
          {text.typeCode}
        </Button>
        <Button
          icon={Languages}
          wide
          lang={language.value === 'id' ? 'en' : 'id'}
          onClick={() => void switchLanguage(language.peek() === 'id' ? 'en' : 'id').catch(() => {})}
        >
          {text.other}
        </Button>
      </div>
      <p class={style.soft}>{text.desk}</p>
      {language.value !== 'id' && <OtherLanguage />}
    </Screen>
  );
};

const Typed = () => {
  const text = words.value;
  const code = useSignal('');
  const birthDate = useSignal('');
  const isTried = useSignal(false);
  const isCode = codeForm.test(plain(code.value));
  return (
    <Screen title={text.typed}>
      <form
        class={style.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          isTried.value = true;
          if (!isCode || birthDate.peek() === '') {
            const form = event.currentTarget;
            // Once what is wrong is shown.
            setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
            return;
          }
          void attempt({ code: plain(code.peek()), birth_date: birthDate.peek() });
        }}
      >
        <Field
          label={text.code}
          hint={text.codeHint}
          errors={isTried.value && !isCode ? [text.codeForm] : undefined}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={12}
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
        <DateField
          label={text.birthDate}
          errors={isTried.value && birthDate.value === '' ? [text.birthDateMissing] : undefined}
          min="1900-01-01"
          max={dateOf(serviceNow())}
          value={birthDate.value}
          onInput={({ currentTarget: { value } }) => (birthDate.value = value)}
        />
        <div class={style.buttons}>
          <Button type="submit" look="primary" wide>
            {text.checkIn}
          </Button>
          <Button wide onClick={toStart}>
            {text.back}
          </Button>
        </div>
      </form>
      <Leaving seconds={60} />
    </Screen>
  );
};

const Here = ({ visit }: { visit: CheckedIn }) => {
  const text = words.value;
  const isLost = useSignal(false);
  const print = (): void => {
    printSlip(visit).catch(() => (isLost.value = true));
  };
  useEffect(print, []);
  const { room } = visit;
  const isCalled = visit.visit === 'called';
  const next = isCalled
    ? room === ''
      ? text.called
      : text.calledIn(room)
    : room === ''
      ? text.wait
      : text.waitIn(room);
  return (
    <Screen title={text.here}>
      <section class={style.ticket}>
        <p class={style.soft}>
          {text.number} · {text.belongsTo(visit.initials)}
        </p>
        <p class={style.label}>
          <TicketNumber label={visit.queue_label} />
        </p>
        <dl class={style.facts}>
          <div>
            <dt>{text.doctor}</dt>
            <dd>{visit.doctor_name}</dd>
          </div>
          {room !== '' && (
            <div>
              <dt>{text.room}</dt>
              <dd>{room}</dd>
            </div>
          )}
          <div>
            <dt>{text.time}</dt>
            <dd class="tnum">
              {clockTime(visit.schedule_time)} {zoneName(visit.starts_at, visit.time_zone)}
            </dd>
          </div>
        </dl>
      </section>
      <p class={style.next}>{next}</p>
      <p role="alert" class={style.wrong}>
        {isLost.value && text.notPrinted}
      </p>
      <div class={style.buttons}>
        <Button look="primary" wide onClick={toStart}>
          {text.done}
        </Button>
        {paper.value !== null && (
          <Button icon={Printer} wide onClick={print}>
            {text.print}
          </Button>
        )}
      </div>
      <Leaving seconds={20} />
    </Screen>
  );
};

const RefusedStep = ({ sentence }: { sentence: string | null }) => {
  const text = words.value;
  return (
    <Screen title={sentence === null ? text.unsure : text.refused}>
      <p class={style.next}>{sentence ?? text.unreached}</p>
      <div class={style.buttons}>
        <Button look="primary" wide onClick={toStart}>
          {text.toStart}
        </Button>
      </div>
      <Leaving seconds={20} />
    </Screen>
  );
};

/** The steps of one patient. */
export const Visit = () => {
  const now = step.value;
  switch (now.name) {
    case 'start':
      return <Start />;
    case 'typed':
      return <Typed />;
    case 'busy':
      return <Screen title={words.value.busy} />;
    case 'here':
      return <Here visit={now.visit} />;
    case 'refused':
      return <RefusedStep sentence={now.sentence} />;
  }
};
