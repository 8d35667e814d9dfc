import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { type Entry, waitlistChanged } from '../data/waitlist.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { further } from '../words/follow-up.ts';

const reasons = ['urgent', 'agreed', 'mistake', 'other'] as const;

interface Props {
  of: Entry;
  /** Those who wait for the same session, in their order. */
  among: readonly Entry[];
  onMoved: (place: number) => void;
  onClose: () => void;
}

/** Another place in the order, and why: both are recorded. */
export const Order = ({ of, among, onMoved, onClose }: Props) => {
  const text = further.value.waitlist;
  const own = among.findIndex(({ id }) => id === of.id);
  const others = among.filter(({ id }) => id !== of.id);
  // The first entry can only move after another.
  const start = own > 0 ? (others[0]?.id ?? '') : '';
  const form = useForm(
    { before_id: start, reason: '' },
    { before_id: text.place, reason: text.reason },
    async ({ before_id, reason }, _changes, key) => {
      await take(
        api.v1.admin.waitlist[':id'].move.$post({
          param: { id: of.id },
          json: { before_id: before_id || null, reason: reason as (typeof reasons)[number] },
          header: { 'Idempotency-Key': key },
        }),
      );
      const place = others.findIndex(({ id }) => id === before_id);
      onMoved(place < 0 ? among.length : place + 1);
      await waitlistChanged();
      onClose();
    },
  );
  return (
    <Dialog title={text.askMove(of.patient.name)} onClose={onClose}>
      <form class={look.form} onSubmit={form.onSubmit}>
        <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
        <Select {...form.bind('before_id')} autofocus>
          {others.map(({ id, patient }, at) =>
            // Moving it before the next entry changes nothing.
            at === own ? null : (
              <option key={id} value={id}>
                {at === 0
                  ? text.placeFirst
                  : text.before(among.findIndex((one) => one.id === id) + 1, patient.name)}
              </option>
            ),
          )}
          {own < among.length - 1 && <option value="">{text.placeLast}</option>}
        </Select>
        <Select {...form.bind('reason')} hint={text.reasonHint} required>
          <option value="">{text.pickReason}</option>
          {reasons.map((one) => (
            <option key={one} value={one}>
              {text.reasons[one]}
            </option>
          ))}
        </Select>
        <Answers>
          <Button onClick={onClose}>{common.value.cancel}</Button>
          <Button look="primary" type="submit" busy={form.attempt.busy.value} why={whyNot()}>
            {text.move}
          </Button>
        </Answers>
      </form>
    </Dialog>
  );
};
