import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { open } from '../../shared/api/clients.ts';
import { logInByCode, type Wanted } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { submitBy, wrongFields } from '../../shared/form.ts';
import { Check, Field } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { today, useCodes } from '../clinic.ts';
import form from '../form.module.css';
import { words } from '../words.ts';
import { readMessagedCode } from './messagedCode.ts';

interface Props {
  onChallenge: (wanted: Wanted, remember: boolean, email: string) => void;
}

/** What was typed: an e-mail has an @, everything else is taken for a number where the clinic sends messages. */
const addressIn = (typed: string, { byMail, byPhone }: { byMail: boolean; byPhone: boolean }) =>
  byPhone && !(byMail && typed.includes('@')) ? { phone: typed } : { email: typed };

/** Logging in by a code, and registering by it: an e-mail or a number, the code, and for a new person who they are. */
const CodeEntry = ({ onChallenge }: Props) => {
  const w = words.value;
  const codes = useCodes();
  const typed = useSignal('');
  const code = useSignal('');
  const name = useSignal('');
  const birth = useSignal('');
  const remember = useSignal(true);
  const isSent = useSignal(false);
  const isNew = useSignal(false);
  /** How many codes were asked for. */
  const sent = useSignal(0);
  const first = useRef<HTMLInputElement>(null);
  const asking = useAttempt(async () => {
    await take(open.v1.auth.code.$post({ json: addressIn(typed.peek(), codes) }));
    code.value = '';
    isSent.value = true;
    sent.value += 1;
  });
  const entering = useAttempt(async (_key, person: { name?: string; birth_date?: string }) => {
    const given = { ...addressIn(typed.peek(), codes), code: code.peek(), ...person };
    try {
      const wanted = await logInByCode(given, remember.peek());
      if (wanted !== null) onChallenge(wanted, remember.peek(), given.email ?? '');
    } catch (error) {
      // The code is right, and nobody has the address yet.
      const asks = error instanceof Refused && !isNew.peek() && error.fields.birth_date !== undefined;
      if (!asks) throw error;
      isNew.value = true;
    }
  });
  // The next field of the step takes the focus, so that it is typed without a press, and on the way back too.
  useEffect(() => {
    if (sent.value > 0) first.current?.focus();
  }, [isSent.value, isNew.value]);
  // A message whose code the browser may read is not typed at all.
  useEffect(() => {
    if (!isSent.value || isNew.value || !('phone' in addressIn(typed.peek(), codes))) return;
    const step = new AbortController();
    void readMessagedCode(step.signal).then((found) => {
      if (found === null || step.signal.aborted) return;
      code.value = found;
      void entering.run({});
    });
    return () => step.abort();
  }, [isSent.value, isNew.value, sent.value]);
  /** Another code voids the first: what was typed of that one goes with it. */
  const again = async (): Promise<void> => {
    entering.clear();
    if (!(await asking.run())) return;
    isNew.value = false;
    first.current?.focus();
  };
  const change = (): void => {
    entering.clear();
    asking.clear();
    isSent.value = false;
    isNew.value = false;
  };
  const failure = entering.failure.value;
  const wrong = wrongFields(entering);
  const label = !codes.byPhone ? w.email : codes.byMail ? w.phoneOrEmail : w.phone;
  const isPhone = 'phone' in addressIn(typed.value, codes);
  const codeLabel = isPhone ? w.phoneCode : w.proofCode;
  const refused = wrongFields(asking);
  if (!isSent.value)
    return (
      <form class={form.form} onSubmit={submitBy(asking)}>
        <FormFailure failure={asking.failure.value} labels={{ email: label, phone: label }} />
        <Field
          inputRef={first}
          label={label}
          hint={codes.byPhone ? `${w.phoneHint}. ${w.codeHint}` : w.codeHint}
          name="email"
          type={codes.byPhone ? (codes.byMail ? 'text' : 'tel') : 'email'}
          inputMode={codes.byMail ? 'email' : 'tel'}
          autocomplete={codes.byMail ? 'username' : 'tel'}
          required
          value={typed.value}
          errors={refused.phone ?? refused.email}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <SendButton look="primary" type="submit" wide busy={asking.busy.value}>
          {w.sendCode}
        </SendButton>
      </form>
    );
  return (
    <form
      class={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void entering.run(isNew.peek() ? { name: name.peek(), birth_date: birth.peek() } : {});
      }}
    >
      <Banner role="status">
        {isPhone
          ? isNew.value
            ? w.codeNewPhone
            : w.codeMessaged(typed.value)
          : isNew.value
            ? w.codeNew
            : w.codeSent(typed.value)}
      </Banner>
      <FormFailure
        failure={failure ?? asking.failure.value}
        labels={{ code: codeLabel, name: w.name, birth_date: w.birthDate }}
      />
      {isNew.value ? (
        <>
          <Field
            key="name"
            inputRef={first}
            label={w.name}
            name="name"
            autocomplete="name"
            required
            maxLength={100}
            value={name.value}
            errors={wrong.name}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <DateField
            label={w.birthDate}
            autocomplete="bday"
            required
            max={today()}
            value={birth.value}
            errors={wrong.birth_date}
            onInput={(event) => (birth.value = event.currentTarget.value)}
          />
        </>
      ) : (
        <Field
          key="code"
          inputRef={first}
          label={codeLabel}
          name="code"
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          value={code.value}
          errors={wrong.code}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
      )}
      <Check
        label={w.remember}
        checked={remember.value}
        onChange={(event) => (remember.value = event.currentTarget.checked)}
      />
      <SendButton look="primary" type="submit" wide busy={entering.busy.value}>
        {isNew.value ? w.register : w.logIn}
      </SendButton>
      <div class={form.row}>
        <button type="button" class={form.asLink} disabled={asking.busy.value} onClick={() => void again()}>
          {w.codeAgain}
        </button>
        <button type="button" class={form.asLink} onClick={change}>
          {isPhone ? w.otherPhone : w.otherEmail}
        </button>
      </div>
    </form>
  );
};

export default CodeEntry;
