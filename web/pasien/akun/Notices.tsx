import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Check, Select } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../masuk/NeedsLogin.tsx';
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

const Form = ({ first }: { first: Choices }) => {
  const w = words.value;
  const chosen = useSignal(first);
  const { email, message, kinds, language, channels } = chosen.value;
  const choose = (changed: Partial<Choices>) => {
    chosen.value = { ...chosen.value, ...changed };
  };
  const save = useAttempt(async () => {
    const { channels: _, ...json } = chosen.value;
    const { data } = await take(api.v1.auth.notices.$patch({ json }));
    queries.setQueryData(queryKey, data);
    said.value = common.value.saved;
  });
  const every = Object.keys(w.noticeKinds) as Kind[];
  return (
    <form
      class={form.card}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
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
            change={(ticked) =>
              choose({ kinds: every.filter((one) => (one === kind ? ticked : kinds.includes(one))) })
            }
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
  if (data !== undefined) return <Form first={data} />;
  return error === null ? <Skeleton rows={3} height={96} /> : <ReadFailure failure={error} again={refetch} />;
};

export const NoticesPage = () => (
  <Screen title={words.value.notices} back="/pasien/akun">
    <NeedsLogin>
      <Read />
    </NeedsLogin>
  </Screen>
);
