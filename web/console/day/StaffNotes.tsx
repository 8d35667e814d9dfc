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
import { findDraft } from '../data/drafts.ts';
import { words } from '../words.ts';
import style from './Detail.module.css';

/** The clinic's internal notes; a change by another desk in between is shown, and no input is lost. */
export const StaffNotes = ({ booking, version }: { booking: Booking; version: number }) => {
  const text = words.value.detail;
  const stored = booking.staff_notes ?? '';
  // With the version at the beginning of typing, so that another person's change in between is detected.
  const draft = findDraft<{ text: string; base: number }>(`catatan-${booking.id}`);
  /** What was saved last, until the booking as it then stands has come. */
  const saved = useSignal<{ text: string; version: number } | null>(null);
  const isSaved = useSignal(false);
  const conflict = useSignal<{ by: string; now: string } | null>(null);
  const attempt = useAttempt(async (_key, staff_notes: string, base: number) => {
    conflict.value = null;
    try {
      const { data } = await take(
        api.v1.bookings[':id'].$patch({
          param: { id: booking.id },
          json: { staff_notes, version: base },
        }),
      );
      saved.value = { text: staff_notes, version: data.version };
      // What was typed meanwhile is written over this one.
      const typed = draft.peek()?.text ?? staff_notes;
      draft.value = typed === staff_notes ? null : { text: typed, base: data.version };
      putBooking({ ...(heldBooking(booking.id) ?? booking), ...data });
      isSaved.value = true;
      void queries.invalidateQueries({ queryKey: ['janji', booking.id] });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'version_mismatch') throw error;
      const now = await present(booking.id);
      if (now === null) throw error;
      putBooking(now.booking);
      draft.value = { text: draft.peek()?.text ?? staff_notes, base: now.booking.version };
      conflict.value = {
        by: now.conflict.by ?? words.value.somebody,
        now: now.booking.staff_notes ?? '',
      };
    }
  });
  const last =
    saved.value !== null && saved.value.version > version ? saved.value : { text: stored, version };
  const shown = draft.value?.text ?? last.text;
  const isChanged = shown !== last.text;
  const base = (isChanged && draft.value?.base) || last.version;
  return (
    <form
      class={style.notes}
      data-unsaved={isChanged || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run(shown, base);
      }}
    >
      <TextArea
        label={text.staffNotes}
        hint={text.staffNotesHint}
        maxLength={1000}
        value={shown}
        onInput={(event) => {
          draft.value = { text: event.currentTarget.value, base };
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
        <span role="status">{isSaved.value ? text.saved : isChanged ? text.unsaved : ''}</span>
      </div>
    </form>
  );
};
