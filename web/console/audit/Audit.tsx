import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { type Cursor, usePages } from '../data/pages.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, More, Shown } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { kindNames } from '../words/kinds.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';

type Entry = Schemas['SecurityEvent'];
type Kind = Entry['type'];

const read = (page: Cursor, type: Kind | null, user: string | null) =>
  take(
    api.v1.admin['security-events'].$get({
      query: {
        ...page,
        limit: 50,
        ...(type !== null && { type }),
        ...(user !== null && { user_id: user }),
      },
    }),
  );

/** A person in the trail by their present name, or by id if the account no longer exists. */
const Name = ({
  id,
  name,
  onPick,
}: {
  id: string | null;
  name: string | null;
  onPick: (id: string) => void;
}) => {
  if (id === null) return <>–</>;
  const shown = name ?? id.slice(0, 8);
  return (
    <button
      type="button"
      class={look.asLink}
      aria-label={`${setup.value.audit.onlyPerson}: ${shown}`}
      onClick={() => onPick(id)}
    >
      {shown}
    </button>
  );
};

const formatFacts = ({ detail, route }: Entry): string =>
  [
    ...(route === null ? [] : [route]),
    ...Object.entries(detail ?? {}).map(
      ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  ].join(' · ');

/** The security events of accounts, and the changes by admins. */
const Audit = () => {
  const { query, set } = useAddress();
  const text = setup.value.audit;
  const names = kindNames.value;
  const kind = (Object.keys(names) as Kind[]).find((one) => one === query.jenis) ?? null;
  const user = query.orang ?? null;
  const events = usePages(['audit', kind, user], (page) => read(page, kind, user), { staleTime: 10_000 });
  return (
    <Page title={words.value.nav.audit}>
      <Age of={events.read} />
      <div class={look.body}>
        <p class={look.soft}>{text.days}</p>
        <div class={look.fields}>
          <Select
            label={text.type}
            value={kind ?? ''}
            onChange={(event) => set({ jenis: event.currentTarget.value })}
          >
            <option value="">{text.allTypes}</option>
            {Object.entries(names).map(([name, said]) => (
              <option key={name} value={name}>
                {said}
              </option>
            ))}
          </Select>
          {user !== null && (
            <Button small onClick={() => set({ orang: null })}>
              {words.value.clear}
            </Button>
          )}
        </div>
        <Shown of={events.read} rows={8} height={36} empty={<Empty>{text.empty}</Empty>}>
          {(rows) => (
            <Table
              caption={words.value.nav.audit}
              rows={rows}
              columns={[
                {
                  name: text.columns.time,
                  look: 'brief',
                  cell: ({ occurred_at: at }) => `${shortDate(dateOf(at), today())} ${timeOf(at)}`,
                },
                { name: text.columns.type, isHead: true, cell: ({ type }) => names[type] },
                {
                  name: text.columns.who,
                  look: 'words',
                  cell: ({ actor_id, actor_name }) => actor_name ?? actor_id?.slice(0, 8) ?? '–',
                },
                {
                  name: text.columns.whom,
                  look: 'words',
                  cell: (one) =>
                    one.patient_id === null ? (
                      <Name id={one.user_id} name={one.user_name} onPick={(orang) => set({ orang })} />
                    ) : (
                      (one.patient_name ?? one.patient_id.slice(0, 8))
                    ),
                },
                {
                  name: text.columns.from,
                  cell: ({ network }) => network?.slice(0, 8) ?? '–',
                  look: 'brief',
                },
                { name: text.columns.detail, look: 'soft', cell: formatFacts },
              ]}
            />
          )}
        </Shown>
        <More of={events} />
      </div>
    </Page>
  );
};

export default Audit;
