import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { useAllDoctors } from '../data/catalog.ts';
import { usePages } from '../data/pages.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, More, Shown } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Invite } from './Invite.tsx';
import { PersonPanel } from './PersonPanel.tsx';
import { roles } from './RoleFields.tsx';

type Person = Schemas['Person'];

const describeState = ({ active, password_set, second_factor }: Person): string => {
  const text = setup.value.people;
  return [
    active ? text.active : text.inactive,
    !password_set && text.noPassword,
    second_factor && text.factor,
  ]
    .filter(Boolean)
    .join(' · ');
};

/** Accounts, their roles, and the form for a new one. */
const People = () => {
  const { query, set } = useAddress();
  const text = setup.value.people;
  const q = query.q ?? '';
  const chosenRole = roles.find((one) => one === query.peran) ?? null;
  const people = usePages(['orang', q, chosenRole], (page) =>
    take(
      api.v1.admin.people.$get({
        query: {
          ...page,
          limit: 50,
          ...(q !== '' && { q }),
          ...(chosenRole !== null && { role: chosenRole }),
        },
      }),
    ),
  );
  const doctors = useAllDoctors().value.data ?? [];
  const open = useSignal<Person | 'new' | null>(null);
  const chosen = open.value;
  const close = (): void => {
    open.value = null;
  };
  return (
    <Page
      title={words.value.nav.orang}
      beside={
        <Button small icon={Plus} onClick={() => openBeside(open, 'new')}>
          {text.add}
        </Button>
      }
      aside={
        chosen === null ? undefined : chosen === 'new' ? (
          <Invite doctors={doctors} onClose={close} />
        ) : (
          <PersonPanel
            key={chosen.id}
            person={people.rows?.find((one) => one.id === chosen.id) ?? chosen}
            doctors={doctors}
            onClose={close}
          />
        )
      }
    >
      <Age of={people.read} />
      <div class={look.body}>
        <div class={look.fields}>
          <Field
            label={text.find}
            type="search"
            value={q}
            onInput={(event) => set({ q: event.currentTarget.value })}
          />
          <Select
            label={text.roleOf}
            value={chosenRole ?? ''}
            onChange={(event) => set({ peran: event.currentTarget.value })}
          >
            <option value="">{text.allRoles}</option>
            {roles.map((one) => (
              <option key={one} value={one}>
                {text.roles[one]}
              </option>
            ))}
          </Select>
        </div>
        <Shown of={people.read} rows={6} height={40} empty={<Empty>{text.empty}</Empty>}>
          {(rows) => (
            <Table
              caption={words.value.nav.orang}
              rows={rows}
              columns={[
                { name: text.columns.name, isHead: true, cell: ({ name }) => name },
                { name: text.columns.email, cell: ({ email }) => email },
                { name: text.columns.role, cell: ({ role }) => text.roles[role] },
                { name: text.columns.state, cell: describeState },
                {
                  name: text.columns.action,
                  look: 'actions',
                  cell: (one) => (
                    <Button
                      small
                      aria-label={setup.value.change(one.name)}
                      onClick={() => openBeside(open, one)}
                    >
                      {words.value.edit}
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Shown>
        <More of={people} />
      </div>
    </Page>
  );
};

export default People;
