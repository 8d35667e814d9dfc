import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/atur.ts';
import { kindNames } from '../words/kinds.ts';
import { words } from '../words.ts';

type Entry = Schemas['SecurityEvent'];
type Kind = Entry['type'];

const read = async (cursor: string | null, type: Kind | null, user: string | null) =>
  take(
    api.v1.admin['security-events'].$get({
      query: {
        limit: 50,
        ...(cursor !== null && { cursor }),
        ...(type !== null && { type }),
        ...(user !== null && { user_id: user }),
      },
    }),
  );

/** Somebody of the trail by the name of today, or by the id where there is none any more. */
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

const factsOf = ({ detail, route }: Entry): string =>
  [
    ...(route === null ? [] : [route]),
    ...Object.entries(detail ?? {}).map(
      ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  ].join(' · ');

/** What happened to accounts, and what admins changed. */
const Audit = () => {
  const { query, set } = useAddress();
  const text = setup.value.audit;
  const names = kindNames.value;
  const kind = (Object.keys(names) as Kind[]).find((one) => one === query.jenis) ?? null;
  const user = query.orang ?? null;
  const first = useRead({
    queryKey: ['audit', kind, user],
    queryFn: () => read(null, kind, user),
    staleTime: 10_000,
  }).value;
  const further = useSignal<Entry[]>([]);
  const cursor = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  useEffect(() => {
    further.value = [];
    cursor.value = first.data?.meta.next_cursor ?? null;
  }, [first.data]);
  const more = async (): Promise<void> => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      const page = await read(cursor.peek(), kind, user);
      further.value = [...further.peek(), ...page.data];
      cursor.value = page.meta.next_cursor;
    } catch {
      // The button stays: another press tries again.
    } finally {
      isBusy.value = false;
    }
  };
  const entries = [...(first.data?.data ?? []), ...further.value];
  return (
    <Page title={words.value.nav.audit}>
      <Freshness at={first.dataUpdatedAt || undefined} />
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
        {first.data === undefined ? (
          first.error === null ? (
            <Skeleton rows={8} height={36} />
          ) : (
            <ReadFailure failure={first.error} again={first.refetch} />
          )
        ) : entries.length === 0 ? (
          <Empty>{text.empty}</Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{words.value.nav.audit}</caption>
            <thead>
              <tr>
                {(['time', 'type', 'who', 'whom', 'from', 'detail'] as const).map((name) => (
                  <th key={name} scope="col">
                    {text.columns[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.map((one) => (
                <tr key={one.id}>
                  <td class="tnum">
                    {shortDate(dateOf(one.occurred_at), today())} {timeOf(one.occurred_at)}
                  </td>
                  <th scope="row">{names[one.type]}</th>
                  <td>{one.actor_name ?? (one.actor_id === null ? '–' : one.actor_id.slice(0, 8))}</td>
                  <td>
                    {one.patient_id === null ? (
                      <Name id={one.user_id} name={one.user_name} onPick={(orang) => set({ orang })} />
                    ) : (
                      (one.patient_name ?? one.patient_id.slice(0, 8))
                    )}
                  </td>
                  <td class="tnum">{one.network?.slice(0, 8) ?? '–'}</td>
                  <td class={look.soft}>{factsOf(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {cursor.value !== null && (
          <div>
            <Button small busy={isBusy.value} onClick={() => void more()}>
              {words.value.more}
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
};

export default Audit;
