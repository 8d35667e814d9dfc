import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { submitBy, wrongFields } from '../../shared/form.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { setupChanged } from '../data/catalog.ts';
import { today, useQueues, useSessions } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';

/** The letters before a doctor's queue numbers, for each service; today's are shown. */
export const Prefix = ({ doctorId }: { doctorId: string }) => {
  const text = setup.value.doctors;
  const sessions = useSessions().value.data;
  const queues = useQueues(today()).value.data ?? [];
  const chosen = useSignal<string | null>(null);
  const typed = useSignal<string | null>(null);
  const saved = useSignal<string | null>(null);
  const session = chosen.value ?? sessions?.[0]?.id ?? '';
  const present =
    queues.find((one) => one.doctor_id === doctorId && one.session_id === session)?.prefix ?? '';
  const attempt = useAttempt(async () => {
    const json = { session_id: session, prefix: typed.peek() ?? present };
    const calls = api.v1.admin.doctors[':id'];
    saved.value = (await take(calls['queue-prefix'].$put({ param: { id: doctorId }, json }))).data.prefix;
    typed.value = null;
    await setupChanged();
  });
  // Sent before it is known of which service, the letters would be refused.
  if (sessions === undefined) return null;
  return (
    <form class={look.form} aria-label={text.prefixes} onSubmit={submitBy(attempt)}>
      <h3>{text.prefixes}</h3>
      <FormFailure
        failure={attempt.failure.value}
        labels={{ prefix: text.prefix, session_id: text.prefixOf }}
      />
      <Select
        label={text.prefixOf}
        value={session}
        errors={wrongFields(attempt).session_id}
        onChange={(event) => {
          chosen.value = event.currentTarget.value;
          typed.value = null;
          saved.value = null;
        }}
      >
        {sessions.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
      <Field
        label={text.prefix}
        hint={text.prefixHint}
        required
        maxLength={3}
        autocapitalize="characters"
        value={typed.value ?? saved.value ?? present}
        errors={wrongFields(attempt).prefix}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <div>
        <Button
          type="submit"
          busy={attempt.busy.value}
          why={online.value ? null : common.value.offlineAction}
        >
          {text.prefixSave}
        </Button>
      </div>
      <span role="status">{saved.value === null ? '' : text.prefixSaved(saved.value)}</span>
    </form>
  );
};
