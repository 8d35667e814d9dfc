import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { wrongFields } from '../../shared/form.ts';
import { QuestionField, valuesOf } from '../../shared/questions/QuestionField.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { type Answered, answersKey, readAnswers } from '../data/answers.ts';
import type { Booking } from '../data/bookings.ts';
import { heldBooking, lookAgain, putBooking } from '../data/day.ts';
import { findDraft } from '../data/drafts.ts';
import { whyNot } from '../ui/Shown.tsx';
import { words } from '../words.ts';
import style from './Detail.module.css';

interface Props {
  booking: Booking;
  asked: Answered;
  onClose: (saved: boolean) => void;
}

const isSame = (a: Answered, b: Answered): boolean =>
  a.questions_version === b.questions_version && JSON.stringify(a.answers) === JSON.stringify(b.answers);

/** The desk's form for the answers of a patient on the telephone. What somebody else answers meanwhile is shown first. */
export const AnswersForm = ({ booking, asked, onClose }: Props) => {
  const { id } = booking;
  const text = words.value.detail;
  /** The questions and answers that the form was opened with, or was shown since. */
  const base = useSignal(asked);
  const typed = findDraft<Readonly<Record<string, string>>>(`jawaban-${id}`);
  const isOvertaken = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const { questions } = base.value;
  const values: Readonly<Record<string, string>> = { ...valuesOf(base.value), ...typed.value };
  const close = (isSaved: boolean): void => {
    typed.value = null;
    onClose(isSaved);
  };
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  const put = async (answers: { id: string; value: string }[], { version, questions_version }: Answered) => {
    const json = { answers, version, questions_version };
    return (await take(api.v1.bookings[':id'].answers.$put({ param: { id }, json }))).data;
  };
  const attempt = useAttempt(async (_key, answers: { id: string; value: string }[]) => {
    isOvertaken.value = false;
    const before = base.peek();
    const save = async (): Promise<Answered | null> => {
      try {
        return await put(answers, before);
      } catch (error) {
        const codes = ['version_mismatch', 'questions_changed'];
        if (!(error instanceof Refused) || !codes.includes(error.code)) throw error;
        const present = await readAnswers(id);
        base.value = present;
        // The booking changed, and not its answers: a check-in is no reason to ask again.
        return isSame(before, present) ? put(answers, present) : null;
      }
    };
    const data = await save();
    if (data === null) {
      isOvertaken.value = true;
      return;
    }
    queries.setQueryData(answersKey(id, data.version), data);
    putBooking({
      ...(heldBooking(id) ?? booking),
      version: data.version,
      to_answer: data.to_answer.length,
    });
    void queries.invalidateQueries({ queryKey: ['janji', id] });
    void lookAgain();
    close(true);
  });
  const wrong = wrongFields(attempt);
  const labels = Object.fromEntries(questions.map(({ label }, nth) => [`answers.${nth}.value`, label]));
  return (
    <form
      ref={form}
      class={style.notes}
      data-unsaved={typed.value !== null || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run(questions.map((one) => ({ id: one.id, value: values[one.id] ?? '' })));
      }}
    >
      <FormFailure failure={attempt.failure.value} labels={labels} />
      {isOvertaken.value && (
        <Banner kind="warning" role="alert">
          {text.answersChanged}
        </Banner>
      )}
      {questions.map((question, nth) => (
        <QuestionField
          key={question.id}
          question={question}
          value={values[question.id] ?? ''}
          errors={wrong[`answers.${nth}.value`]}
          onInput={(value) => {
            typed.value = { ...typed.peek(), [question.id]: value };
          }}
        />
      ))}
      <div class={style.line}>
        <Button small look="primary" type="submit" busy={attempt.busy.value} why={whyNot()}>
          {text.saveAnswers}
        </Button>
        <Button small onClick={() => close(false)}>
          {common.value.cancel}
        </Button>
      </div>
    </form>
  );
};
