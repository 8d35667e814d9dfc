import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { newKey } from '../../shared/api/attempt.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Field, Select, TextArea } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';
import style from './Questions.module.css';

type Question = Schemas['AdminSession']['questions'][number];

const most = 20;
const types = ['text', 'choice', 'yes_no', 'number', 'date'] as const;

/** A question that nobody has typed yet. Its id stays whatever its wording becomes. */
const fresh = (): Question => ({
  id: `q-${newKey().slice(0, 8)}`,
  type: 'text',
  label: '',
  required: false,
  new_patients_only: false,
  options: [],
});

/** One option a line. */
const splitLines = (text: string): string[] => text.split('\n');
const readOptions = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

interface Props {
  value: readonly Question[];
  /** The service's errors, by the path of their field. */
  errors: Readonly<Record<string, string[]>>;
  onChange: (next: readonly Question[]) => void;
}

/** What is sent: options only of a choice, without empty lines. */
export const toSend = (questions: readonly Question[]): Question[] =>
  questions.map((one) => ({ ...one, options: one.type === 'choice' ? readOptions(one.options) : [] }));

/** The questions of a session, in their order; by keyboard they are added, moved and removed by buttons. */
export const Questions = ({ value, errors, onChange }: Props) => {
  const text = setup.value.questions;
  const box = useRef<HTMLElement>(null);
  /** What gets the focus after the list has changed: a question's field or button, or the button that adds one. */
  const focus = useSignal<string | null>(null);
  useLayoutEffect(() => {
    if (focus.peek() === null) return;
    const wanted = box.current?.querySelector<HTMLElement>(focus.peek() ?? '');
    focus.value = null;
    // A button that cannot move further is disabled: the field of its question takes the focus.
    if (wanted?.matches(':disabled'))
      wanted.closest('fieldset')?.querySelector<HTMLElement>('input')?.focus();
    else wanted?.focus();
  }, [value]);
  const change = (id: string, to: Partial<Question>) =>
    onChange(value.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const move = (at: number, by: -1 | 1) => {
    const next = [...value];
    const [moved] = next.splice(at, 1);
    if (moved === undefined) return;
    next.splice(at + by, 0, moved);
    focus.value = `[data-question="${moved.id}"] [data-move="${by}"]`;
    onChange(next);
  };
  const remove = (at: number) => {
    const neighbour = value[at + 1] ?? value[at - 1];
    focus.value = neighbour === undefined ? '[data-add]' : `[data-question="${neighbour.id}"] input`;
    onChange(value.filter((_, nth) => nth !== at));
  };
  return (
    <section class={look.form} ref={box} aria-label={text.title}>
      <h3>{text.title}</h3>
      <p class={look.soft}>{text.hint}</p>
      {value.map((question, at) => {
        const { id, type } = question;
        const wrong = (field: string) => errors[`questions.${at}.${field}`];
        return (
          <fieldset key={id} class={style.question} data-question={id}>
            <legend>{text.nth(at + 1)}</legend>
            <Field
              label={text.label}
              required
              maxLength={200}
              value={question.label}
              errors={wrong('label')}
              onInput={(event) => change(id, { label: event.currentTarget.value })}
            />
            <Select
              label={text.type}
              value={type}
              errors={wrong('type')}
              onInput={(event) => change(id, { type: event.currentTarget.value as Question['type'] })}
            >
              {types.map((one) => (
                <option key={one} value={one}>
                  {text.types[one]}
                </option>
              ))}
            </Select>
            {type === 'choice' && (
              <TextArea
                label={text.options}
                hint={text.optionsHint}
                required
                value={question.options.join('\n')}
                errors={wrong('options')}
                onInput={(event) => change(id, { options: splitLines(event.currentTarget.value) })}
              />
            )}
            <Check
              label={text.required}
              checked={question.required}
              onInput={(event) => change(id, { required: event.currentTarget.checked })}
            />
            <Check
              label={text.newOnly}
              checked={question.new_patients_only}
              onInput={(event) => change(id, { new_patients_only: event.currentTarget.checked })}
            />
            <div class={look.line}>
              <Button
                small
                data-move="-1"
                aria-label={`${text.up}: ${text.nth(at + 1)}`}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              >
                {text.up}
              </Button>
              <Button
                small
                data-move="1"
                aria-label={`${text.down}: ${text.nth(at + 1)}`}
                disabled={at === value.length - 1}
                onClick={() => move(at, 1)}
              >
                {text.down}
              </Button>
              <Button
                small
                look="danger"
                aria-label={`${text.remove}: ${text.nth(at + 1)}`}
                onClick={() => remove(at)}
              >
                {text.remove}
              </Button>
            </div>
          </fieldset>
        );
      })}
      {value.length < most && (
        <Button
          small
          icon={Plus}
          data-add
          onClick={() => {
            const added = fresh();
            focus.value = `[data-question="${added.id}"] input`;
            onChange([...value, added]);
          }}
        >
          {text.add}
        </Button>
      )}
    </section>
  );
};
