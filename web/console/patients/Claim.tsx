import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { shortDateWithin } from '../ui/when.ts';
import { desk } from '../words/desk.ts';

/** The code by which a patient takes the record into an own account. It is shown once. */
export const Claim = ({ patient }: { patient: Schemas['PatientDetail'] }) => {
  const text = desk.value.people;
  const made = useSignal<{ code: string; expires_at: string } | null>(null);
  const attempt = useAttempt(async (key) => {
    const header = { 'Idempotency-Key': key };
    const { data } = await take(
      api.v1.patients[':id']['claim-code'].$post({ param: { id: patient.id }, header }),
    );
    made.value = data;
  });
  return (
    <details>
      <summary class={look.summary}>{text.claim}</summary>
      <div class={look.form}>
        <p class={look.soft}>{text.claimText}</p>
        <FormFailure failure={attempt.failure.value} />
        {made.value !== null && (
          <Banner role="status">
            <p class={look.code}>{made.value.code}</p>
            <p>
              {text.claimUntil(
                `${shortDateWithin(dateOf(made.value.expires_at), today())} ${timeOf(made.value.expires_at)}`,
              )}
            </p>
          </Banner>
        )}
        <div>
          <Button
            small
            busy={attempt.busy.value}
            why={
              !online.value ? common.value.offlineAction : patient.birth_date === null ? text.needBirth : null
            }
            onClick={() => void attempt.run()}
          >
            {text.claimMake}
          </Button>
        </div>
      </div>
    </details>
  );
};
