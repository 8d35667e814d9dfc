import { useSignal } from '@preact/signals';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { Refused, take } from '../api/take.ts';
import { Field } from '../ui/Field.tsx';
import { confirmedly } from '../ui/reauth.tsx';
import { FormFailure } from '../ui/States.tsx';
import { words } from '../words/factors.ts';
import { makePasskey } from './passkey.ts';
import { Step } from './Step.tsx';
import { usePasskeyTry } from './usePasskeyTry.tsx';

interface Props {
  /** The recovery codes, which are made with the first factor; else none. */
  onDone: (codes: readonly string[]) => void;
  onClose: () => void;
}

const passkeys = api.v1.auth['second-factors'].passkeys;

/** A name, and then the device's own question. */
export const NewPasskey = ({ onDone, onClose }: Props) => {
  const w = words.value;
  const name = useSignal('');
  const { trying, told } = usePasskeyTry();
  const attempt = useAttempt(() =>
    trying(async () => {
      const { data: begun } = await confirmedly(() => take(passkeys.options.$post({})));
      const credential = await makePasskey(begun.public_key);
      const called = name.peek().trim();
      const json = { challenge: begun.challenge, credential, ...(called !== '' && { name: called }) };
      const { data } = await confirmedly(() => take(passkeys.$post({ json })));
      onDone(data.recovery_codes);
    }),
  );
  const failure = attempt.failure.value;
  return (
    <Step title={w.addPasskey} act={w.makePasskey} attempt={attempt} onClose={onClose}>
      <p>{w.passkeyAbout}</p>
      <FormFailure failure={failure} labels={{ name: w.passkeyName }} />
      {told}
      <Field
        label={w.passkeyName}
        hint={w.passkeyNameHint}
        optional
        maxLength={100}
        autoFocus
        errors={failure instanceof Refused ? failure.fields.name : undefined}
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
    </Step>
  );
};
