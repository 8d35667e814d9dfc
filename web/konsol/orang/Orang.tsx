import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { useAllDoctors } from '../data/catalog.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';
import { Invite } from './Invite.tsx';
import { PersonPanel } from './PersonPanel.tsx';

type Person = Schemas['Person'];
export const roles = ['admin', 'staff', 'doctor', 'patient'] as const;

/** Whoever has an account, what they may do, and who shall have one. */
const Orang = () => {
  const { query, set } = useAddress();
  const text = setup.value.people;
  const q = query.q ?? '';
  const chosenRole = roles.find((one) => one === query.peran) ?? null;
  const people = useRead({
    queryKey: ['orang', q, chosenRole],
    queryFn: async () =>
      (
        await take(
          api.v1.admin.people.$get({
            query: { limit: 100, ...(q !== '' && { q }), ...(chosenRole !== null && { role: chosenRole }) },
          }),
        )
      ).data,
  }).value;
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
        <Button small icon={Plus} onClick={() => (open.value = 'new')}>
          {text.add}
        </Button>
      }
      aside={
        chosen === null ? undefined : chosen === 'new' ? (
          <Invite doctors={doctors} onClose={close} />
        ) : (
          <PersonPanel
            key={chosen.id}
            person={people.data?.find((one) => one.id === chosen.id) ?? chosen}
            doctors={doctors}
            onClose={close}
          />
        )
      }
    >
      <Freshness at={people.dataUpdatedAt || undefined} />
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
        {people.data === undefined ? (
          people.error === null ? (
            <Skeleton rows={6} height={40} />
          ) : (
            <ReadFailure failure={people.error} again={people.refetch} />
          )
        ) : people.data.length === 0 ? (
          <Empty>{text.empty}</Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{words.value.nav.orang}</caption>
            <thead>
              <tr>
                {(['name', 'email', 'role', 'state', 'action'] as const).map((name) => (
                  <th key={name} scope="col">
                    {text.columns[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {people.data.map((one) => (
                <tr key={one.id}>
                  <th scope="row">{one.name}</th>
                  <td>{one.email}</td>
                  <td>{text.roles[one.role]}</td>
                  <td>
                    {[
                      one.active ? text.active : text.inactive,
                      !one.password_set && text.noPassword,
                      one.second_factor && text.factor,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </td>
                  <td>
                    <Button
                      small
                      aria-label={setup.value.change(one.name)}
                      onClick={() => (open.value = one)}
                    >
                      {words.value.edit}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Page>
  );
};

export default Orang;
