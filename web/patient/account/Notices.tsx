import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { submitBy } from '../../shared/form.ts';
import { Check, Select } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said } from '../screen.tsx';
import { words } from '../words.ts';

const readChoices = async () => (await take(api.v1.auth.notices.$get({}))).data;

type Choices = Awaited<ReturnType<typeof readChoices>>;
type Kind = Choices['kinds'][number];

const queryKey = ['notices'];

interface TickProps {
  word: string;
  ticked: boolean;
  change: (ticked: boolean) => void;
}

const Tick = ({ word, ticked, change }: TickProps) => (
  <Check label={word} checked={ticked} onChange={(event) => change(event.currentTarget.checked)} />
);

const every = Object.keys(words.peek().noticeKinds) as Kind[];

/** The choices made here override the loaded ones: changes by another device show in all untouched fields. */
const Form = ({ read }: { read: Choices }) => {
  const w = words.value;
  const changed = useSignal<Partial<Omit<Choices, 'channels' | 'kinds'>>>({});
  const ticks = useSignal<Partial<Record<Kind, boolean>>>({});
  const { email, message, language, channels } = { ...read, ...changed.value };
  const kinds = every.filter((kind) => ticks.value[kind] ?? read.kinds.includes(kind));
  const choose = (more: typeof changed.value) => {
    changed.value = { ...changed.value, ...more };
  };
  const save = useAttempt(async () => {
    const json = { ...changed.value, ...(Object.keys(ticks.value).length > 0 && { kinds }) };
    const { data } = await take(api.v1.auth.notices.$patch({ json }));
    queries.setQueryData(queryKey, data);
    changed.value = {};
    ticks.value = {};
    said.value = common.value.saved;
  });
  return (
    <form class={form.card} onSubmit={submitBy(save)}>
      <FormFailure failure={save.failure.value} />
      <p>{channels.length === 0 ? w.noticesNone : w.noticesText}</p>
      <fieldset class={form.ticks}>
        <legend class={form.strong}>{w.noticesHow}</legend>
        <Tick word={w.email} ticked={email} change={(ticked) => choose({ email: ticked })} />
        <Tick word={w.noticesMessage} ticked={message} change={(ticked) => choose({ message: ticked })} />
      </fieldset>
      <fieldset class={form.ticks}>
        <legend class={form.strong}>{w.noticesWhat}</legend>
        {every.map((kind) => (
          <Tick
            key={kind}
            word={w.noticeKinds[kind]}
            ticked={kinds.includes(kind)}
            change={(ticked) => {
              ticks.value = { ...ticks.value, [kind]: ticked };
            }}
          />
        ))}
      </fieldset>
      <Select
        label={w.noticesLanguage}
        value={language}
        onChange={(event) => choose({ language: event.currentTarget.value as Choices['language'] })}
      >
        <option value="id" lang="id">
          Bahasa Indonesia
        </option>
        <option value="en" lang="en">
          English
        </option>
      </Select>
      <SendButton look="primary" type="submit" wide busy={save.busy.value}>
        {w.save}
      </SendButton>
    </form>
  );
};

const Read = () => {
  const { data, error, refetch } = useResource({ queryKey, queryFn: readChoices }).value;
  if (data !== undefined) return <Form read={data} />;
  return <Pending rows={3} height={96} error={error} again={refetch} />;
};

export const NoticesPage = () => (
  <Screen title={words.value.notices} back="/pasien/akun">
    <NeedsLogin>
      <Read />
    </NeedsLogin>
  </Screen>
);
