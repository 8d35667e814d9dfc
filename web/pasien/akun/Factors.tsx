import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { FormFailure, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../masuk/NeedsLogin.tsx';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';
import { QrCode } from './QrCode.tsx';

const readFactors = async () => (await take(api.v1.auth['second-factors'].$get())).data;

/** Asks for the password where the service wants it confirmed, and does then what was meant. */
const Confirmed = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => {
  const w = words.value;
  const password = useSignal('');
  const attempt = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.$post({ json: { password: password.value } }));
    onDone();
  });
  return (
    <Dialog title={w.reauthTitle} onClose={onClose}>
      <form
        class={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.run();
        }}
      >
        <p>{w.reauthText}</p>
        <FormFailure failure={attempt.failure.value} labels={{ password: w.password }} />
        <PasswordField
          label={w.password}
          autocomplete="current-password"
          required
          autoFocus
          value={password.value}
          onInput={(event) => (password.value = event.currentTarget.value)}
        />
        <Answers>
          <Button onClick={onClose}>{common.value.cancel}</Button>
          <Button look="primary" type="submit" busy={attempt.busy.value}>
            {w.verify}
          </Button>
        </Answers>
      </form>
    </Dialog>
  );
};

/** A write that may want the password first. */
const useDangerous = (work: (key: string) => Promise<unknown>) => {
  const isAsking = useSignal(false);
  const attempt = useAttempt(work);
  const run = async () => {
    await attempt.run();
    const failure = attempt.failure.peek();
    if (!(failure instanceof Refused) || failure.code !== 'reauthentication_required') return;
    attempt.clear();
    isAsking.value = true;
  };
  const asked = isAsking.value && (
    <Confirmed
      onClose={() => (isAsking.value = false)}
      onDone={() => {
        isAsking.value = false;
        void attempt.run();
      }}
    />
  );
  return { busy: attempt.busy, failure: attempt.failure, run, asked };
};

interface Begun {
  secret: string;
  otpauth_url: string;
}

const Codes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const w = words.value;
  return (
    <section class={form.card}>
      <h2>{w.codesTitle}</h2>
      <p>{w.codesText}</p>
      <ul class={form.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button look="primary" wide onClick={onKept}>
        {w.codesKept}
      </Button>
    </section>
  );
};

const Setup = ({ begun, onDone }: { begun: Begun; onDone: (codes: string[]) => void }) => {
  const w = words.value;
  const code = useSignal('');
  const confirm = useDangerous(async () => {
    const json = { code: code.value };
    onDone((await take(api.v1.auth['second-factors'].totp.confirm.$post({ json }))).data.recovery_codes);
  });
  return (
    <form
      class={form.card}
      onSubmit={(event) => {
        event.preventDefault();
        void confirm.run();
      }}
    >
      <p>{w.factorScan}</p>
      <QrCode text={begun.otpauth_url} label={w.factorCodeImage} />
      <p>{w.factorType}</p>
      <p class={form.mono}>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
      <ButtonLink href={begun.otpauth_url}>{w.factorOpen}</ButtonLink>
      <FormFailure failure={confirm.failure.value} labels={{ code: w.factorCode }} />
      <Field
        label={w.factorCode}
        hint={w.factorThen}
        inputMode="numeric"
        autocomplete="one-time-code"
        required
        value={code.value}
        onInput={(event) => (code.value = event.currentTarget.value)}
      />
      <Button look="primary" type="submit" wide busy={confirm.busy.value}>
        {w.verify}
      </Button>
      {confirm.asked}
    </form>
  );
};

const Factors = () => {
  const w = words.value;
  const begun = useSignal<Begun | null>(null);
  const codes = useSignal<readonly string[] | null>(null);
  const { data, error, refetch } = useResource({ queryKey: ['factors'], queryFn: readFactors }).value;
  const reread = () => queries.invalidateQueries({ queryKey: ['factors'] });
  const start = useDangerous(async () => {
    begun.value = (await take(api.v1.auth['second-factors'].totp.$post({}))).data;
  });
  const remove = useDangerous(async () => {
    for (const { id } of data?.factors ?? [])
      await take(api.v1.auth['second-factors'][':id'].$delete({ param: { id } }));
    await reread();
  });
  const renew = useDangerous(async () => {
    codes.value = (await take(api.v1.auth['second-factors']['recovery-codes'].$post({}))).data.recovery_codes;
    await reread();
  });
  if (codes.value !== null) return <Codes codes={codes.value} onKept={() => (codes.value = null)} />;
  if (begun.value !== null)
    return (
      <Setup
        begun={begun.value}
        onDone={(made) => {
          begun.value = null;
          codes.value = made;
          void reread();
        }}
      />
    );
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={2} height={120} />
    ) : (
      <ReadFailure failure={error} again={refetch} />
    );
  const isOn = data.factors.length > 0;
  return (
    <section class={form.card}>
      <p class={form.strong}>{isOn ? w.factorOn : w.factorOff}</p>
      <p>{w.factorsText}</p>
      <FormFailure failure={start.failure.value ?? remove.failure.value ?? renew.failure.value} />
      {isOn ? (
        <>
          <p class={form.small}>{w.codesLeft(data.codes_left)}</p>
          <Button busy={renew.busy.value} onClick={() => void renew.run()}>
            {w.newCodes}
          </Button>
          {!data.required && (
            <Button look="danger" busy={remove.busy.value} onClick={() => void remove.run()}>
              {w.factorRemove}
            </Button>
          )}
        </>
      ) : (
        <Button look="primary" busy={start.busy.value} onClick={() => void start.run()}>
          {w.factorStart}
        </Button>
      )}
      {start.asked}
      {remove.asked}
      {renew.asked}
    </section>
  );
};

export const FactorsPage = () => (
  <Screen title={words.value.factors} back="/pasien/akun">
    <NeedsLogin>
      <Factors />
    </NeedsLogin>
  </Screen>
);
