import { useSignal } from '@preact/signals';
import { queries } from '../shared/api/resource.ts';
import { useForm } from '../shared/form.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Answers, Dialog } from '../shared/ui/Dialog.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { SendButton } from '../shared/ui/SendButton.tsx';
import { FormFailure } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './Clinics.module.css';
import { addClinic } from './data.ts';
import { session } from './session.ts';
import { words } from './words.ts';

interface Made {
  name: string;
  link: string;
}

/** The link of the first admin, shown once. */
const Done = ({ made: { name, link }, onClose }: { made: Made; onClose: () => void }) => {
  const text = words.value.add;
  const isCopied = useSignal(false);
  const copy = () =>
    void navigator.clipboard?.writeText(link).then(
      () => (isCopied.value = true),
      () => {},
    );
  return (
    <>
      <p role="status">{text.done(name)}</p>
      <p>{text.link}</p>
      <p>
        <code class={style.secret}>{link}</code>
      </p>
      <Answers>
        <span role="status">{isCopied.value ? text.copied : ''}</span>
        <Button onClick={copy}>{text.copy}</Button>
        <Button look="primary" autofocus onClick={onClose}>
          {common.value.close}
        </Button>
      </Answers>
    </>
  );
};

/** Asks for a new clinic, then whether it is meant, and shows the link of its first admin. */
export const AddClinic = ({ onClose }: { onClose: () => void }) => {
  const text = words.value.add;
  const made = useSignal<Made | null>(null);
  /** Whether what was typed is about to be sent. */
  const isAsked = useSignal(false);
  const zone = session.value.kind === 'in' ? session.value.time_zone : '';
  const form = useForm(
    { name: '', host: '', time_zone: '', admin: '' },
    { name: text.name, host: text.host, time_zone: text.zone, admin: text.admin },
    async (values) => {
      const { data } = await addClinic(values);
      made.value = { name: data.name, link: data.link };
      await queries.invalidateQueries();
    },
  );
  const send = async (): Promise<void> => {
    // What was refused is shown beside its fields.
    if (!(await form.attempt.run())) isAsked.value = false;
  };
  if (made.value !== null)
    return (
      <Dialog title={text.title} onClose={onClose}>
        <Done made={made.value} onClose={onClose} />
      </Dialog>
    );
  if (isAsked.value)
    return (
      <Dialog key="sure" title={text.title} onClose={() => (isAsked.value = false)}>
        <p>{text.sure(form.values.name, form.values.host)}</p>
        <Answers>
          <Button autofocus onClick={() => (isAsked.value = false)}>
            {common.value.back}
          </Button>
          <SendButton look="primary" busy={form.attempt.busy.value} onClick={() => void send()}>
            {text.verb}
          </SendButton>
        </Answers>
      </Dialog>
    );
  return (
    <Dialog key="form" title={text.title} isChanged={form.isChanged} onClose={onClose}>
      <form
        class={style.form}
        onSubmit={(event) => {
          event.preventDefault();
          isAsked.value = true;
        }}
      >
        <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
        <Field {...form.bind('name')} required maxLength={200} />
        <Field {...form.bind('host')} hint={text.hostHint} autocapitalize="none" required />
        <Field {...form.bind('time_zone')} hint={text.zoneHint(zone)} optional autocapitalize="none" />
        <Field {...form.bind('admin')} type="email" optional />
        <Answers>
          <Button onClick={onClose}>{common.value.cancel}</Button>
          <Button look="primary" type="submit">
            {text.next}
          </Button>
        </Answers>
      </form>
    </Dialog>
  );
};
