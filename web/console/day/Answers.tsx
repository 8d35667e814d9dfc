import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { inWords } from '../../shared/questions/QuestionField.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Pending } from '../../shared/ui/States.tsx';
import { type Answered, answersKey, readAnswers } from '../data/answers.ts';
import type { Booking } from '../data/bookings.ts';
import { findDraft } from '../data/drafts.ts';
import { useRead } from '../data/read.ts';
import { useKeptFocus } from '../ui/keepFocus.ts';
import { words } from '../words.ts';
import { AnswersForm } from './AnswersForm.tsx';
import style from './Detail.module.css';

const Given = ({ data: { answers, questions, to_answer } }: { data: Answered }) => {
  const text = words.value.detail;
  const missing = questions.filter(({ id }) => to_answer.includes(id));
  return (
    <>
      {answers.length === 0 && missing.length === 0 && <p>{text.noAnswers}</p>}
      {answers.length > 0 && (
        <dl class={style.answers}>
          {answers.map((answer) => (
            <div key={answer.id}>
              <dt>{answer.label}</dt>
              <dd class={style.written}>
                {inWords(answer)}
                {answer.by === 'clinic' && <span class={style.by}> · {text.byClinic}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {missing.length > 0 && (
        <>
          <p class={style.missing}>{text.missing(missing.length)}</p>
          <ul class={style.events}>
            {missing.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};

/**
 * The questions before the visit: what was answered, with the wording it was given to, what is missing, and a form for
 * what the patient says on the telephone.
 */
export const Answers = ({ booking }: { booking: Booking }) => {
  const { id, version } = booking;
  const text = words.value.detail;
  const box = useRef<HTMLElement>(null);
  const isEdited = useSignal(findDraft(`jawaban-${id}`).peek() !== null);
  const isSaved = useSignal(false);
  const answers = useRead({
    queryKey: answersKey(id, version),
    queryFn: () => readAnswers(id),
    // A change of the booking takes away neither the answers nor what is typed meanwhile.
    placeholderData: (before) => before,
  }).value;
  useKeptFocus(box, 'button');
  const { data } = answers;
  return (
    <section ref={box} class={style.notes}>
      <h3>{text.answers}</h3>
      {data === undefined ? (
        <Pending rows={2} height={20} error={answers.error} again={answers.refetch} />
      ) : isEdited.value ? (
        <AnswersForm
          booking={booking}
          asked={data}
          onClose={(saved) => {
            isSaved.value = saved;
            isEdited.value = false;
          }}
        />
      ) : (
        <>
          <Given data={data} />
          <div class={style.line}>
            {data.questions.length > 0 && (
              <Button
                small
                onClick={() => {
                  isSaved.value = false;
                  isEdited.value = true;
                }}
              >
                {data.answers.length > 0 ? text.correct : text.fillIn}
              </Button>
            )}
            <span role="status">{isSaved.value ? text.answersSaved : ''}</span>
          </div>
        </>
      )}
    </section>
  );
};
