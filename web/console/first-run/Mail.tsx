import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { person } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { useMissing } from '../data/setup.ts';
import look from '../ui/page.module.css';
import { Shown, whyNot } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { mailSettings, messageSettings } from './commands.ts';
import style from './FirstRun.module.css';

/** A letter to oneself, and why it did not leave. */
const Trial = () => {
  const text = beginning.value.mail;
  const said = useSignal('');
  const attempt = useAttempt(async (key) => {
    said.value = '';
    const header = { 'Idempotency-Key': key };
    said.value = (await take(api.v1.admin.setup['test-mail'].$post({ header }))).message;
  });
  const failure = attempt.failure.value;
  const why = failure instanceof Refused ? failure.as('mail_not_sent')?.reason : undefined;
  return (
    <>
      <FormFailure failure={failure} />
      {why !== undefined && why !== 'not_set' && <p>{text.reason(why)}</p>}
      <div class={look.line}>
        <Button busy={attempt.busy.value} why={whyNot()} onClick={() => void attempt.run()}>
          {text.test}
        </Button>
        <span class={look.soft}>{text.to(person.value?.user.email ?? '')}</span>
      </div>
      <p role="status">{said.value}</p>
    </>
  );
};

/** Whether mail and messages leave, which settings they want, and a letter to try it. */
export const Mail = () => {
  const text = beginning.value.mail;
  return (
    <Shown of={useMissing().value}>
      {({ missing, sends_mail, sends_messages }) => (
        <>
          {missing.includes('mail_failing') && <Banner kind="warning">{text.failing}</Banner>}
          {sends_mail ? (
            <>
              <p>{text.on}</p>
              <Trial />
            </>
          ) : (
            <>
              <p>{text.off}</p>
              <pre class={style.command}>{mailSettings}</pre>
              <p>{text.without}</p>
            </>
          )}
          <p>{sends_messages ? text.messagesOn : text.messagesOff}</p>
          {!sends_messages && <pre class={style.command}>{messageSettings}</pre>}
        </>
      )}
    </Shown>
  );
};
