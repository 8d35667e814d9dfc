import { timeOf } from '../../shared/time.ts';
import type { Call } from '../logic/queue.ts';
import { words } from '../words.ts';
import { Label } from './Label.tsx';

const chooseSize = (label: string): string => {
  if (label.length <= 4) return 'short';
  return label.length === 5 ? 'middle' : 'long';
};

/** The latest call: large while it is spoken and for twelve seconds, then smaller. */
export const Latest = ({ call, isNew, isOld }: { call: Call; isNew: boolean; isOld: boolean }) => {
  const own = words.value;
  return (
    <section class={`latest${isNew ? ' is-new' : ''}`} aria-labelledby="latest-title">
      <h2 id="latest-title">{isOld ? own.lastCall : own.number}</h2>
      <p class={`number ${chooseSize(call.label)}`}>
        <Label of={call.label} mayBreak={chooseSize(call.label) === 'long'} />
      </p>
      {call.room !== '' && (
        <p class="room">
          {!isOld && <span class="go">{own.goTo}</span>} {call.room}
        </p>
      )}
      <p class="doctor">{call.doctor}</p>
      {!isNew && <p class="when">{own.calledAt(timeOf(call.calledAt))}</p>}
    </section>
  );
};
