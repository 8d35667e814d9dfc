import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import form from '../form.module.css';
import { said, toHeadingIfLost } from '../screen.tsx';
import { otherName } from '../whose.ts';
import { words } from '../words/waitlist.ts';
import { formatDates, formatEntry, formatWish } from './said.ts';
import style from './waitlist.module.css';
import { type Entry, noteOffer, refreshWaitlist } from './waitlist.ts';

const Leave = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => {
  const w = words.value;
  const leave = async (): Promise<void> => {
    try {
      await take(api.v1.waitlist[':id'].$delete({ param: { id: entry.id } }));
    } catch (error) {
      // Already removed: by another device, or by a request whose answer was lost.
      if (!(error instanceof Refused) || error.code !== 'not_found') throw error;
    }
  };
  return (
    <Confirm
      title={entry.ended_as ? w.removeTitle : w.leaveTitle}
      text={
        entry.ended_as ? (
          w.unanswered
        ) : (
          <>
            {w.leaveText(formatWish(entry))} {entry.offer && w.leaveHeld}
          </>
        )
      }
      verb={entry.ended_as ? w.remove : w.yesLeave}
      work={leave}
      onClose={(isDone) => {
        onClose();
        if (!isDone) return;
        noteOffer(entry.id, null);
        said.value = entry.ended_as ? w.removed : w.left(otherName(entry));
        void refreshWaitlist().then(toHeadingIfLost);
      }}
    />
  );
};

/** The waitlist entries, each with a button to leave. */
const Item = ({ entry }: { entry: Entry }) => {
  const w = words.value;
  const isLeaving = useSignal(false);
  return (
    <li class={form.item}>
      <p class={form.strong}>{formatEntry(entry)}</p>
      <p>{formatDates(entry)}</p>
      <p class={form.small}>{w.for(entry.patient.name)}</p>
      {entry.ended_as && <p>{w.unanswered}</p>}
      <div>
        <SendButton
          aria-label={`${entry.ended_as ? w.remove : w.leave}: ${formatWish(entry)}`}
          onClick={() => (isLeaving.value = true)}
        >
          {entry.ended_as ? w.remove : w.leave}
        </SendButton>
      </div>
      {isLeaving.value && <Leave entry={entry} onClose={() => (isLeaving.value = false)} />}
    </li>
  );
};

/** All that the account and its family wait for. */
export const Waiting = ({ entries }: { entries: readonly Entry[] }) => (
  <section class={style.list} aria-labelledby="tunggu">
    <h2 id="tunggu">{words.value.list}</h2>
    <ul class={form.list}>
      {entries.map((entry) => (
        <Item key={entry.id} entry={entry} />
      ))}
    </ul>
  </section>
);
