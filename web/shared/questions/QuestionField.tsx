import type { Schemas } from '../../../client/index.ts';
import { DateField } from '../dates/DateField.tsx';
import { language } from '../preferences.ts';
import { longDate } from '../time.ts';
import { Field, Select, TextArea } from '../ui/Field.tsx';
import { words } from '../words/pertanyaan.ts';

type Answers = Schemas['BookingAnswers'];
type Answer = Answers['answers'][number];
export type Question = Answers['questions'][number];

export const inWords = ({ type, value }: Pick<Answer, 'type' | 'value'>): string => {
  if (type === 'date') return longDate(value);
  if (type === 'number' && language.value === 'id') return value.replace('.', ',');
  if (type === 'yes_no') return value === 'yes' ? words.value.yes : words.value.no;
  return value;
};

/** The answers that the present questions take, by the id of the question. */
export const valuesOf = ({ questions, answers }: Answers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    answers
      .filter((answer) => questions.some(({ id, type }) => id === answer.id && type === answer.type))
      .map(({ id, value }) => [id, value]),
  );

interface Asked {
  question: Question;
  value: string;
  errors: readonly string[] | undefined;
  onInput: (value: string) => void;
}

/** One question, by the field that its type takes. */
export const QuestionField = ({ question, value, errors, onInput }: Asked) => {
  const w = words.value;
  const { type, label, required, options } = question;
  const common = { label, errors, optional: !required, value };
  const onTyped = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value);
  if (type === 'date') return <DateField {...common} onInput={onTyped} />;
  if (type === 'text') return <TextArea {...common} maxLength={500} onInput={onTyped} />;
  if (type === 'number')
    return <Field {...common} hint={w.numberHint} inputMode="decimal" autocomplete="off" onInput={onTyped} />;
  const choices =
    type === 'choice'
      ? options.map((one) => [one, one] as const)
      : ([
          ['yes', w.yes],
          ['no', w.no],
        ] as const);
  return (
    <Select {...common} onInput={onTyped}>
      <option value="">{w.noChoice}</option>
      {choices.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </Select>
  );
};
