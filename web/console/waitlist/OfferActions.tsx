import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { Refused } from '../../shared/api/take.ts';
import { clockTime, nearDate } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { today } from '../data/clinic.ts';
import { acceptOffer, declineOffer, type Offered, waitlistChanged } from '../data/waitlist.ts';
import look from '../ui/page.module.css';
import { Refusal, whyNot } from '../ui/Shown.tsx';
import { words } from '../words.ts';

/** The patient's answer to the offer, by telephone or at the desk. */
export const OfferActions = ({ of, onSaid }: { of: Offered; onSaid: (what: string) => void }) => {
  const text = words.value.held;
  const { name } = of.patient;
  const { offer } = of;
  const isAsking = useSignal(false);
  const accept = useAttempt(async (key) => {
    try {
      await acceptOffer(of, key);
      onSaid(text.accepted(name));
    } catch (error) {
      // It has ended: the row is removed, the service's message stays.
      if (error instanceof Refused && error.code === 'no_offer') {
        onSaid(error.message);
        await waitlistChanged();
      }
      throw error;
    }
  });
  const decline = async (key: string): Promise<void> => {
    await declineOffer(of, key);
    onSaid(text.declined(name));
  };
  const when = `${nearDate(offer.schedule_date, today())}, ${clockTime(offer.schedule_time)}, ${offer.doctor_name}`;
  return (
    <div class={look.line}>
      <Refusal of={accept} />
      <Button
        small
        look="primary"
        aria-label={`${text.accept}: ${name}`}
        busy={accept.busy.value}
        why={whyNot()}
        onClick={() => void accept.run()}
      >
        {text.accept}
      </Button>
      <Button small aria-label={`${text.decline}: ${name}`} onClick={() => (isAsking.value = true)}>
        {text.decline}
      </Button>
      {isAsking.value && (
        <Confirm
          title={text.askDecline(name)}
          text={text.askDeclineText(when)}
          verb={text.decline}
          work={decline}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </div>
  );
};
