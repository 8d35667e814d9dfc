import { useSignal } from '@preact/signals';
import { useAttempt } from '../shared/api/attempt.ts';
import { useForm } from '../shared/form.ts';
import alone from '../shared/ui/Alone.module.css';
import { Button } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { Preferences } from '../shared/ui/Preferences.tsx';
import { Banner, FormFailure } from '../shared/ui/States.tsx';
import { askToSignUp, proveSignup } from './data.ts';
import { words } from './words.ts';

/** Takes the token out of the address at once, so that neither the history nor a bookmark keeps it. */
const takeToken = (): string | null => {
  const { pathname, hash } = location;
  if (!/^#[\w-]{20,}$/.test(hash)) return null;
  history.replaceState(null, '', pathname);
  return hash.slice(1);
};

/** A button and no act of its own: programs that look into mails open links, too. */
const Prove = ({ token }: { token: string }) => {
  const text = words.value.signup;
  const isDone = useSignal(false);
  const attempt = useAttempt(async () => {
    await proveSignup(token);
    isDone.value = true;
  });
  if (isDone.value) return <Banner role="status">{text.proved}</Banner>;
  return (
    <>
      <p>{text.proveText}</p>
      <FormFailure failure={attempt.failure.value} />
      <Button look="primary" wide busy={attempt.busy.value} onClick={() => void attempt.run()}>
        {text.proveVerb}
      </Button>
    </>
  );
};

const Ask = () => {
  const { signup: text, add } = words.value;
  const isDone = useSignal(false);
  const form = useForm(
    { name: '', host: '', email: '', time_zone: '' },
    { name: add.name, host: add.host, email: text.email, time_zone: add.zone },
    async (values) => {
      await askToSignUp(values);
      isDone.value = true;
    },
  );
  if (isDone.value) return <Banner role="status">{text.asked}</Banner>;
  return (
    <>
      <p>{text.text}</p>
      <form class={alone.form} onSubmit={form.onSubmit}>
        <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
        <Field {...form.bind('name')} autocomplete="organization" required maxLength={200} />
        <Field {...form.bind('host')} hint={add.hostHint} autocapitalize="none" required />
        <Field {...form.bind('email')} type="email" autocomplete="email" required />
        <Field
          {...form.bind('time_zone')}
          hint={add.zoneHint('Asia/Jakarta')}
          optional
          autocapitalize="none"
        />
        <Button look="primary" type="submit" wide busy={form.attempt.busy.value}>
          {text.submit}
        </Button>
      </form>
    </>
  );
};

/** A clinic asks to be added, and proves its e-mail by the link of a mail. */
export const SignUp = () => {
  const token = useSignal(takeToken()).value;
  const text = words.value.signup;
  return (
    <main class={alone.alone}>
      <div class={alone.card}>
        <h1 class={alone.title}>{token === null ? text.title : text.prove}</h1>
        {token === null ? <Ask /> : <Prove token={token} />}
      </div>
      <div class={alone.preferences}>
        <Preferences />
      </div>
    </main>
  );
};
