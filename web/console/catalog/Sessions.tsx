import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { Field, Select } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { allSessions, createReread, setupChanged, useAllSessions } from '../data/catalog.ts';
import { uponRead } from '../data/overtaken.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import { OtherSystem } from '../ui/OtherSystem.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Catalog, type EditProps } from './Catalog.tsx';

type Session = Schemas['AdminSession'];
type Change = Partial<Pick<Session, 'name' | 'approval' | 'active'>>;

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
  const start: Pick<Session, 'name' | 'approval'> = entry ?? { name: '', approval: 'manual' };
  const form = useForm(
    { name: start.name, approval: start.approval },
    { name: text.name, approval: text.approval },
    async (json, changes, key) => {
      if (entry === null)
        await take(api.v1.admin.sessions.$post({ json, header: { 'Idempotency-Key': key } }));
      else await patch(entry, changes);
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
