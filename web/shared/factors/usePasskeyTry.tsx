import { useSignal } from '@preact/signals';
import { Banner } from '../ui/States.tsx';
import { common } from '../words.ts';
import { PasskeyFailed } from './passkey.ts';

/** Runs an action that asks the device for a passkey, and shows why it failed; other errors are rethrown. */
export const usePasskeyTry = () => {
  const problem = useSignal<PasskeyFailed['reason'] | null>(null);
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    problem.value = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PasskeyFailed)) throw error;
      problem.value = error.reason;
    }
  };
  const told = problem.value !== null && (
    <Banner kind="warning" role="alert">
      {common.value.passkey[problem.value]}
    </Banner>
  );
  return { trying, told };
};
