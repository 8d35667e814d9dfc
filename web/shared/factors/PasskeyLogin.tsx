import { Fingerprint } from 'lucide';
import { useAttempt } from '../api/attempt.ts';
import { logInWithFactor, type Wanted } from '../api/session.ts';
import { Refused } from '../api/take.ts';
import { Button } from '../ui/Button.tsx';
import { FormFailure } from '../ui/States.tsx';
import { common } from '../words.ts';
import { knowsPasskeys, usePasskey } from './passkey.ts';
import { usePasskeyTry } from './usePasskeyTry.tsx';

interface Props {
  wanted: Wanted;
  remember: boolean;
  /** The challenge has expired: the password is needed again. */
  onLost: () => void;
}

/** The second step by a passkey, if the account has one and this browser supports passkeys. */
export const PasskeyLogin = ({ wanted, remember, onLost }: Props) => {
  const { trying, told } = usePasskeyTry();
  const { challenge, passkey } = wanted;
  const attempt = useAttempt(() =>
    trying(async () => {
      if (passkey === undefined) return;
      await logInWithFactor(challenge, { assertion: await usePasskey(passkey) }, remember);
    }),
  );
  if (passkey === undefined || !knowsPasskeys()) return null;
  const run = async (): Promise<void> => {
    await attempt.run();
    const failure = attempt.failure.peek();
    if (failure instanceof Refused && failure.code === 'challenge_invalid') onLost();
  };
  return (
    <>
      <FormFailure failure={attempt.failure.value} />
      {told}
      <Button look="primary" icon={Fingerprint} wide busy={attempt.busy.value} onClick={() => void run()}>
        {common.value.passkey.use}
      </Button>
    </>
  );
};
