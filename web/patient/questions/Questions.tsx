import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { wrongFields } from '../../shared/form.ts';
import { inWords, type Question, QuestionField, valuesOf } from '../../shared/questions/QuestionField.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import look from '../form.module.css';
import { said } from '../screen.tsx';
import type { Booking } from '../ticket/asked.ts';
import { isComing, refreshBookings } from '../ticket/booking.ts';
import { otherName } from '../whose.ts';
import { words } from '../words/questions.ts';
import style from './Questions.module.css';

const readAnswers = async (id: string) =>
  (await take(api.v1.bookings[':id'].answers.$get({ param: { id } }))).data;
type Answers = Awaited<ReturnType<typeof readAnswers>>;
const Form = ({ booking, asked }: { booking: Booking; asked: Answers }) => {
  const w = words.value;
  const typed = useSignal<Readonly<Record<string, string>>>({});
  /** The required questions that were left out when the answers were saved. */
  const missing = useSignal<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const { questions, questions_version } = asked;
  const values: Readonly<Record<string, string>> = { ...valuesOf(asked), ...typed.value };
  const attempt = useAttempt(async (_key, answers: { id: string; value: string }[]) => {
    try {
      const json = { answers, questions_version };
      const put = api.v1.bookings[':id'].answers.$put({ param: { id: booking.id }, json });
      const { data } = await take(put);
      typed.value = {};
      missing.value = data.to_answer;
      queries.setQueryData(['answers', booking.id], data);
      const left = data.to_answer.length;
      said.value = left === 0 ? w.kept : w.keptSome(left);
      void refreshBookings(booking.id);
    } catch (error) {
      // What was typed stays; the questions are read again.
      if (error instanceof Refused && error.code === 'questions_changed')
        void queries.invalidateQueries({ queryKey: ['answers', booking.id] });
      throw error;
    }
  });
  useEffect(() => {
    if (missing.value.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [missing.value]);
  const wrong = wrongFields(attempt);
  const errorsOf = ({ id }: Question, nth: number): readonly string[] | undefined =>
    wrong[`answers.${nth}.value`] ??
    (missing.value.includes(id) && (values[id] ?? '') === '' ? [w.required] : undefined);
  const labels = Object.fromEntries(questions.map(({ label }, nth) => [`answers.${nth}.value`, label]));
  return (
    <form
      ref={form}
      class={look.form}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run(questions.map(({ id }) => ({ id, value: values[id] ?? '' })));
      }}
    >
      <FormFailure failure={attempt.failure.value} labels={labels} />
      {questions.map((question, nth) => (
        <QuestionField
          key={question.id}
          question={question}
          value={values[question.id] ?? ''}
          errors={errorsOf(question, nth)}
          onInput={(value) => {
            typed.value = { ...typed.peek(), [question.id]: value };
          }}
        />
      ))}
      <SendButton look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.save}
      </SendButton>
    </form>
  );
};

/** What was answered, once it cannot be changed any more. */
const Given = ({ asked }: { asked: Answers }) => (
  <dl class={style.given}>
    {asked.answers.map((answer) => (
      <div key={answer.id}>
        <dt>{answer.label}</dt>
        <dd>{inWords(answer)}</dd>
      </div>
    ))}
  </dl>
);

/** The questions before the visit, of a ticket whose session asks some. */
export const Questions = ({ booking }: { booking: Booking }) => {
  const w = words.value;
  const heading = useId();
  const { data, error, refetch } = useResource({
    queryKey: ['answers', booking.id],
    queryFn: () => readAnswers(booking.id),
  }).value;
  if (data === undefined) return <Pending rows={2} height={60} error={error} again={refetch} />;
  const isOpen = isComing(booking) && data.questions.length > 0;
  if (!isOpen && data.answers.length === 0) return null;
  const left = data.to_answer.length;
  return (
    <section class={look.card} aria-labelledby={heading}>
      <h2 id={heading}>{isOpen ? w.title(otherName(booking)) : w.answered}</h2>
      {isOpen ? (
        <>
          {data.questions.some(({ required }) => required) && (
            <p class={left > 0 ? style.left : undefined}>{left > 0 ? w.left(left) : w.none}</p>
          )}
          <p class={style.who}>{w.who}</p>
          <Form booking={booking} asked={data} />
        </>
      ) : (
        <Given asked={data} />
      )}
    </section>
  );
};
