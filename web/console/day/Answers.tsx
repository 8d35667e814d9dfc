import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { longDate } from '../../shared/time.ts';
import { ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import { words } from '../words.ts';
import style from './Detail.module.css';

const readAnswers = async (id: string) =>
  (await take(api.v1.bookings[':id'].answers.$get({ param: { id } }))).data;
type Answers = Awaited<ReturnType<typeof readAnswers>>;

/** An answer in words. */
const inWords = ({ type, value }: Answers['answers'][number]): string => {
  if (type === 'date') return longDate(value);
  if (type === 'yes_no') return value === 'yes' ? words.value.detail.yes : words.value.detail.no;
  return value;
};

const Given = ({ data: { answers, questions, to_answer } }: { data: Answers }) => {
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

/** The questions before the visit: what was answered, with the wording it was given to, and what is missing. */
export const Answers = ({ id, version }: { id: string; version: number }) => {
  const answers = useRead({
    queryKey: ['janji', id, 'jawaban', version],
    queryFn: () => readAnswers(id),
  }).value;
  return (
    <section>
      <h3 class={style.part}>{words.value.detail.answers}</h3>
      {answers.data === undefined ? (
        answers.error === null ? (
          <Skeleton rows={2} height={20} />
        ) : (
          <ReadFailure failure={answers.error} again={answers.refetch} />
        )
      ) : (
        <Given data={answers.data} />
      )}
    </section>
  );
};
