import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { Refused, take } from '../api/take.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { confirmedly } from '../ui/reauth.tsx';
import { FormFailure } from '../ui/States.tsx';
import { Verbatim } from '../ui/Verbatim.tsx';
import { words } from '../words/factors.ts';
import { Step } from './Step.tsx';

export interface Begun {
  secret: string;
  otpauth_url: string;
}

interface Props {
  begun: Begun;
  onDone: (codes: readonly string[]) => void;
  onClose: () => void;
}

/** The secret for an authenticator app, and the first code that it shows. */
export const Totp = ({ begun, onDone, onClose }: Props) => {
  const w = words.value;
  const code = useSignal('');
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const attempt = useAttempt(async () => {
    const json = { code: code.peek() };
    const { data } = await confirmedly(() =>
      take(api.v1.auth['second-factors'].totp.confirm.$post({ json })),
    );
    onDone(data.recovery_codes);
  });
  const failure = attempt.failure.value;
  return (
    <Step title={w.appTitle} heading={heading} act={w.verify} attempt={attempt} onClose={onClose}>
      <p>{w.scan}</p>
      <QrCode text={begun.otpauth_url} label={w.image} />
      <p>{w.type}</p>
      <Verbatim>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Verbatim>
      <ButtonLink href={begun.otpauth_url}>{w.open}</ButtonLink>
      <FormFailure failure={failure} labels={{ code: w.code }} />
      <Field
        label={w.code}
        hint={w.typeCode}
        inputMode="numeric"
        autocomplete="one-time-code"
        required
        errors={failure instanceof Refused ? failure.fields.code : undefined}
        value={code.value}
        onInput={(event) => (code.value = event.currentTarget.value)}
      />
    </Step>
  );
};
