import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { TextArea } from '../../shared/ui/Field.tsx';
import { Banner, Sentence } from '../../shared/ui/States.tsx';
import { present } from '../data/act.ts';
import type { Booking } from '../data/bookings.ts';
import { heldBooking, putBooking } from '../data/day.ts';
import { words } from '../words.ts';
import style from './Detail.module.css';

/** The clinic's internal notes; a change by another desk in between is shown, and no input is lost. */
export const StaffNotes = ({ booking, version }: { booking: Booking; version: number }) => {
  const text = words.value.detail;
  const typed = useSignal(booking.staff_notes ?? '');
  const base = useSignal(version);
  const isSaved = useSignal(false);
  const conflict = useSignal<{ by: string; now: string } | null>(null);
  const attempt = useAttempt(async (_key, staff_notes: string) => {
    conflict.value = null;
    try {
      const { data } = await take(
        api.v1.bookings[':id'].$patch({
          param: { id: booking.id },
          json: { staff_notes, version: base.peek() },
        }),
      );
      base.value = data.version;
      putBooking({ ...(heldBooking(booking.id) ?? booking), ...data });
      isSaved.value = true;
      void queries.invalidateQueries({ queryKey: ['janji', booking.id] });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'version_mismatch') throw error;
      const now = await present(booking.id);
      if (now === null) throw error;
      putBooking(now.booking);
      base.value = now.booking.version;
      conflict.value = {
        by: now.conflict.by ?? words.value.somebody,
        now: now.booking.staff_notes ?? '',
      };
    }
  });
  const isChanged = typed.value !== (booking.staff_notes ?? '');
  return (
    <form
      class={style.notes}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged) base.value = version;
        void attempt.run(typed.peek());
      }}
    >
      <TextArea
        label={text.staffNotes}
        hint={text.staffNotesHint}
        maxLength={1000}
        value={typed.value}
        onInput={(event) => {
          // The version at the beginning of typing, so that another person's change in between is detected.
          if (!isChanged) base.value = version;
          typed.value = event.currentTarget.value;
          isSaved.value = false;
        }}
      />
      {conflict.value !== null && (
        <Banner kind="warning" role="alert">
          <p>{text.notesChanged(conflict.value.by)}</p>
          {/* Before the next press writes over it. */}
          {conflict.value.now !== '' && <p>{text.notesNow(conflict.value.now)}</p>}
        </Banner>
      )}
      {attempt.failure.value !== null && (
        <Banner kind="danger" role="alert">
          <Sentence failure={attempt.failure.value} />
        </Banner>
      )}
      <div class={style.line}>
        <Button small type="submit" busy={attempt.busy.value}>
          {words.value.save}
        </Button>
        <span role="status">{isSaved.value ? text.saved : ''}</span>
      </div>
    </form>
  );
};
