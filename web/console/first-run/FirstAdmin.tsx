import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { queries } from '../../shared/api/resource.ts';
import { enterAsFirstAdmin } from '../../shared/api/session.ts';
import { Refused } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { setupToken } from '../start.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';

/** The account with which everything begins. */
export const FirstAdmin = ({ token }: { token: string }) => {
  const text = beginning.value.first;
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm(
    { name: '', email: '', password: '', password_confirmation: '' },
    {
      name: text.name,
      email: text.email,
      password: text.password,
      password_confirmation: text.again,
    },
    async (values) => {
      await enterAsFirstAdmin({ ...values, token });
      setupToken.value = null;
      queries.setQueryData(['mulai'], { open: false });
    },
  );
  const { attempt, bind } = form;
  const failure = attempt.failure.value;
  useLayoutEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    // Another person was faster, or the answer to an earlier press was lost: continue with the login.
    if (failure instanceof Refused && failure.code === 'setup_closed')
      void queries.invalidateQueries({ queryKey: ['mulai'] });
  }, [failure]);
  return (
    <form class={look.form} onSubmit={form.onSubmit}>
      <h1 tabIndex={-1} ref={heading}>
        {text.title}
      </h1>
      <p>{text.about}</p>
      <FormFailure failure={failure} labels={form.labels} />
      <Field {...bind('name')} required maxLength={100} autocomplete="name" />
      <Field {...bind('email')} type="email" required autocomplete="username" autocapitalize="none" />
      <PasswordField {...bind('password')} hint={text.passwordHint} required autocomplete="new-password" />
      <PasswordField {...bind('password_confirmation')} required autocomplete="new-password" />
      <Button look="primary" type="submit" wide busy={attempt.busy.value} why={whyNot()}>
        {text.submit}
      </Button>
    </form>
  );
};
