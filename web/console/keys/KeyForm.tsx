import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { dayMs } from '../../shared/dates/days.ts';
import { wrongFields } from '../../shared/form.ts';
import { Check, Field, Select } from '../../shared/ui/Field.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import type { Schemas } from '../data/bookings.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import { own } from '../words/clinic.ts';
import { sandbox } from './sandbox.ts';

type Scope = Schemas['ApiKey']['scopes'][number];
const lifetimes = [30, 90, 365] as const;

interface Props {
  /** A key of the sandbox, which is good until it is revoked. */
  isTest: boolean;
  onClose: () => void;
  onKey: (key: string) => void;
}

/** A new key: for which program, what it may, and for how long. */
export const KeyForm = ({ isTest, onClose, onKey }: Props) => {
  const text = own.value.keys;
  const name = useSignal('');
  const chosen = useSignal<readonly Scope[]>([]);
  const days = useSignal('365');
  // Once: a repeated request is the same to the millisecond.
  const opened = useRef(serviceNow()).current;
  const attempt = useAttempt(async (key) => {
    const lasting = days.peek();
    const named = { name: name.peek(), scopes: [...chosen.peek()] };
    const json = {
      ...named,
      expires_at: lasting === '' ? null : new Date(opened + Number(lasting) * dayMs).toISOString(),
    };
    const header = { 'Idempotency-Key': key };
    const { data } = await confirmedly(() =>
      isTest
        ? take(sandbox.keys.$post({ json: named }))
        : take(api.v1.admin['api-keys'].$post({ json, header })),
    );
    onKey(data.key);
    await queries.invalidateQueries({ queryKey: ['kunci'] });
    onClose();
  });
  const labels = { name: text.name, scopes: text.scopes, expires_at: text.lifetime };
  const errors = wrongFields(attempt);
  const scopes = Object.entries(text.scopeNames) as [Scope, string][];
  return (
    <EditPanel
      title={isTest ? own.value.sandbox.add : text.add}
      attempt={attempt}
      labels={labels}
      onClose={onClose}
    >
      <Field
        label={text.name}
        hint={text.nameHint}
        required
        value={name.value}
        errors={errors.name}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <fieldset>
        <legend>{text.scopes}</legend>
        {scopes.map(([scope, word]) => (
          <Check
            key={scope}
            label={word}
            checked={chosen.value.includes(scope)}
            onChange={(event) => {
              const others = chosen.peek().filter((one) => one !== scope);
              chosen.value = event.currentTarget.checked ? [...others, scope] : others;
            }}
          />
        ))}
      </fieldset>
      {!isTest && (
        <Select
          label={text.lifetime}
          value={days.value}
          errors={errors.expires_at}
          onChange={(event) => (days.value = event.currentTarget.value)}
        >
          {lifetimes.map((one) => (
            <option key={one} value={String(one)}>
              {text.days(one)}
            </option>
          ))}
          <option value="">{text.forever}</option>
        </Select>
      )}
    </EditPanel>
  );
};
