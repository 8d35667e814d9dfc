import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useForm, wrongFields } from '../../shared/form.ts';
import { Field, Select } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { allSessions, createReread, setupChanged, useAllSessions } from '../data/catalog.ts';
import { uponRead } from '../data/overtaken.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import { OtherSystem } from '../ui/OtherSystem.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Catalog, type EditProps } from './Catalog.tsx';
import { Questions, toSend } from './Questions.tsx';

type Session = Schemas['AdminSession'];
type Limits = 'max_per_day' | 'min_days_between';
type Change = Partial<Pick<Session, 'name' | 'approval' | 'active' | 'open_to' | 'questions' | Limits>>;

/** What is typed, as the API takes it: an empty limit is none. */
const toWire = <T extends Partial<Record<Limits | 'questions', string>>>({
  max_per_day,
  min_days_between,
  questions,
  ...others
}: T) => ({
  ...others,
  ...(max_per_day !== undefined && { max_per_day: max_per_day === '' ? null : Number(max_per_day) }),
  ...(min_days_between !== undefined && {
    min_days_between: min_days_between === '' ? null : Number(min_days_between),
  }),
  ...(questions !== undefined && { questions: toSend(JSON.parse(questions)) }),
});

const fresh: Pick<Session, 'name' | 'approval' | 'open_to' | 'questions' | Limits> = {
  name: '',
  approval: 'manual',
  open_to: 'all',
  max_per_day: null,
  min_days_between: null,
  questions: [],
};

const patch = (session: Session, change: Change) =>
  uponRead(
    'session_changed',
    () =>
      take(
        api.v1.admin.sessions[':id'].$patch({
          param: { id: session.id },
          json: { ...change, version: session.version },
        }),
      ),
    createReread(allSessions, session.id),
  );

/** A session that is added or changed. */
export const SessionForm = ({ entry, onClose }: EditProps<Session>) => {
  const text = setup.value.sessions;
  const start = entry ?? fresh;
  const form = useForm(
    {
      name: start.name,
      approval: start.approval,
      open_to: start.open_to,
      max_per_day: String(start.max_per_day ?? ''),
      min_days_between: String(start.min_days_between ?? ''),
      questions: JSON.stringify(start.questions),
    },
    {
      name: text.name,
      approval: text.approval,
      open_to: text.openTo,
      max_per_day: text.maxPerDay,
      min_days_between: text.minDays,
      questions: setup.value.questions.title,
    },
    async (values, changes, key) => {
      const json = toWire(values);
      if (entry === null)
        await take(api.v1.admin.sessions.$post({ json, header: { 'Idempotency-Key': key } }));
      else await patch(entry, toWire(changes));
      await setupChanged();
      onClose();
    },
  );
  return (
    <EditPanel
      title={entry === null ? text.add : setup.value.change(entry.name)}
      attempt={form.attempt}
      labels={form.labels}
      onClose={onClose}
      more={entry !== null && <OtherSystem record={entry} />}
    >
      <Field {...form.bind('name')} required />
      <Select {...form.bind('approval')}>
        <option value="manual">{text.manual}</option>
        <option value="automatic">{text.automatic}</option>
      </Select>
      <Select {...form.bind('open_to')}>
        <option value="all">{text.all}</option>
        <option value="new">{text.new}</option>
        <option value="known">{text.known}</option>
      </Select>
      <Field {...form.bind('max_per_day')} hint={text.noLimit} type="number" min={1} max={20} optional />
      <Field
        {...form.bind('min_days_between')}
        hint={text.noLimit}
        type="number"
        min={1}
        max={365}
        optional
      />
      <Questions
        value={JSON.parse(form.values.questions)}
        errors={wrongFields(form.attempt)}
        onChange={(next) => form.set({ questions: JSON.stringify(next) })}
      />
    </EditPanel>
  );
};

/** The sessions that the clinic offers. */
const Sessions = () => {
  const text = setup.value.sessions;
  return (
    <Catalog
      title={words.value.nav.layanan}
      all={useAllSessions().value}
      nameOf={({ name }) => name}
      text={text}
      columns={[
        { name: text.name, cell: ({ name }) => name },
        {
          name: text.approval,
          cell: ({ approval }) => (approval === 'manual' ? text.manual : text.automatic),
        },
      ]}
      setActive={async (session, active) => {
        const { meta } = await patch(session, { active });
        await setupChanged();
        return meta;
      }}
      Edit={SessionForm}
    />
  );
};

export default Sessions;
