import { signal, useSignal } from '@preact/signals';
import { onForget } from '../../shared/api/session.ts';
import { online } from '../../shared/online.ts';
import { clockTime, nearDate, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { Banner, Sentence } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { act, type Conflict, clearNote, notes } from '../data/act.ts';
import { type Booking, listActions, type Verb } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { heldBooking } from '../data/day.ts';
import { words } from '../words.ts';
import style from './Ask.module.css';

type Final = 'no-show' | 'reject' | 'cancel';
const finals: readonly Verb[] = ['no-show', 'reject', 'cancel'];

const asking = signal<{ booking: Booking; verb: Final; then?: () => void } | null>(null);
onForget((ended) => {
  if (!ended) asking.value = null;
});

/** Does an action that can be undone at once; asks before one that cannot. */
export const perform = (booking: Booking, verb: Verb, then?: () => void): void => {
  if (finals.includes(verb)) asking.value = { booking, verb: verb as Final, then };
  else
    void act(booking, verb).then((isDone) => {
      if (isDone) then?.();
    });
};

export const conflictText = ({ by, at }: Conflict): string =>
  words.value.conflict(by ?? words.value.somebody, timeOf(at));

const Question = () => {
  const asked = asking.value;
  const reason = useSignal('');
  const own = useSignal('');
  if (asked === null) return null;
  const { verb, then } = asked;
  const booking = heldBooking(asked.booking.id) ?? asked.booking;
  const text = words.value;
  const { failure, conflict, busy } = notes.value.get(booking.id) ?? {};
  const isAllowed = listActions(booking, now.value).has(verb);
  const close = (): void => {
    clearNote(booking.id);
    asking.value = null;
  };
  const confirm = async (): Promise<void> => {
    const given = reason.peek() === text.ask.own ? own.peek().trim() : reason.peek();
    if (!(await act(booking, verb, given))) return;
    asking.value = null;
    then?.();
  };
  const when = `${nearDate(booking.schedule_date, today())} ${clockTime(booking.schedule_time)}`;
  return (
    <Dialog
      title={text.ask[verb](booking.patient.name)}
      isChanged={reason.value === text.ask.own && own.value !== ''}
      onClose={close}
    >
      <div class={style.body}>
        <p>{text.ask.text(booking.queue_label, when, booking.doctor_name)}</p>
        {verb !== 'no-show' && <p class={style.final}>{text.ask.final}</p>}
        {failure && (
          <Banner kind="warning" role="alert">
            {conflict ? conflictText(conflict) : <Sentence failure={failure} />}
          </Banner>
        )}
        {verb !== 'no-show' && (
          <Select
            label={text.ask.reasonOf}
            optional
            value={reason.value}
            onChange={(event) => (reason.value = event.currentTarget.value)}
          >
            <option value="">{text.ask.pick}</option>
            {[...text.ask.reasons, text.ask.own].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </Select>
        )}
        {reason.value === text.ask.own && (
          <Field
            label={text.ask.own}
            maxLength={500}
            value={own.value}
            onInput={(event) => (own.value = event.currentTarget.value)}
          />
        )}
      </div>
      <Answers>
        <Button autofocus onClick={close}>
          {text.ask.keep}
        </Button>
        <Button
          look="danger"
          busy={busy !== undefined}
          why={
            !online.value
              ? common.value.offlineAction
              : !isAllowed && conflict
                ? conflictText(conflict)
                : null
          }
          onClick={() => void confirm()}
        >
          {text.verbs[verb]}
        </Button>
      </Answers>
    </Dialog>
  );
};

export const Ask = () => (asking.value === null ? null : <Question />);
