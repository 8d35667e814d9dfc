import { Fragment } from 'preact';
import { listNext, nextShown, shortName } from '../logic/pages.ts';
import { type Call, keyOf, type Queue } from '../logic/queue.ts';
import { words } from '../words.ts';
import { Label } from './Label.tsx';

const Next = ({ queue, most }: { queue: Queue; most: number }) => {
  const own = words.value;
  const late = queue.notice?.delay_minutes ?? 0;
  const next = listNext(queue, most);
  // Beside a number of six characters there is no space for the word.
  const isLong = next.some((label) => label.length > 5);
  const rest = next.length === 0 && queue.calls.length > 0 ? null : own.nobodyWaits;
  return (
    <div class="after">
      {late > 0 && <p class="late">{own.delay(late)}</p>}
      {next.length > 0 ? (
        <p class={`next${late > 0 ? ' beside-late' : ''}`}>
          <span class={isLong ? 'aloud' : 'then'}>{own.next}</span>
          {next.map((label) => (
            // The space is for those who listen: without it, the numbers are one word.
            <Fragment key={label}>
              {' '}
              <span class="label">
                <Label of={label} />
              </span>
            </Fragment>
          ))}
        </p>
      ) : (
        late === 0 && rest !== null && <p class="nobody">{rest}</p>
      )}
    </div>
  );
};

const Row = ({ queue, isCalled, most }: { queue: Queue; isCalled: boolean; most: number }) => {
  const call = queue.now ?? queue.calls[0] ?? null;
  const where = [queue.room, shortName(queue.doctor_name)].filter((part) => part !== '');
  return (
    <li class={`row${isCalled ? ' is-called' : ''}`}>
      <p class="place">
        <strong>{where[0]}</strong>
        {where[1] !== undefined && ` · ${where[1]}`}
      </p>
      <div class="line">
        <Next queue={queue} most={most} />
        <p class={`now${queue.now === null ? ' has-left' : ''}`}>
          {call === null ? '–' : <Label of={call.label} />}
        </p>
      </div>
    </li>
  );
};

/** One row for each queue: room, doctor, called number, and the next ones. */
export const Rows = ({ page, called }: { page: readonly Queue[]; called: Call | null }) => (
  <section class="queues" aria-label={words.value.list}>
    <ul class={`rows rows-${page.length}`}>
      {page.map((queue) => (
        <Row
          key={keyOf(queue)}
          queue={queue}
          isCalled={called?.queue === keyOf(queue)}
          most={nextShown(queue, page.length)}
        />
      ))}
    </ul>
  </section>
);
