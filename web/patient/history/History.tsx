import { useSignal } from '@preact/signals';
import { History as HistoryIcon } from 'lucide';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Empty, Freshness, Pending, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import form from '../form.module.css';
import { BookingLink } from '../home/Home.tsx';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen } from '../screen.tsx';
import type { HistoryItem } from '../ticket/asked.ts';
import { isComing, usePast, useUpcoming } from '../ticket/booking.ts';
import { againAt, ended } from '../ticket/TicketPage.tsx';
import { useWaiting } from '../waitlist/waiting.ts';
import { words } from '../words.ts';

const Past = ({ booking }: { booking: HistoryItem }) => {
  const w = words.value;
  const why = ended(booking);
  return (
    <li>
      <BookingLink booking={booking} />
      <div class={form.row}>
        {why && <span class={form.small}>{why}</span>}
        <a class={form.link} href={againAt(booking)} aria-label={`${w.bookAgain}: ${booking.doctor_name}`}>
          {w.bookAgain}
        </a>
      </div>
    </li>
  );
};

const Page = ({ cursor, onMore }: { cursor: string | undefined; onMore?: (next: string) => void }) => {
  const w = words.value;
  const { data, error, refetch, dataUpdatedAt, isError } = usePast(cursor).value;
  const upcoming = useUpcoming(cursor === undefined).value.data ?? [];
  if (data === undefined) return <Pending rows={3} height={110} error={error} again={refetch} />;
  const gone = cursor === undefined ? upcoming.filter((one) => !isComing(one)) : [];
  const items = [...gone, ...data.items];
  return (
    <>
      <Freshness at={dataUpdatedAt} isStale={isError} />
      {items.length === 0 && cursor === undefined && (
        <Empty icon={HistoryIcon} action={<ButtonLink href="/pasien/dokter">{w.findDoctor}</ButtonLink>}>
          {w.noHistory}
        </Empty>
      )}
      <ul class={form.list}>
        {items.map((booking) => (
          <Past key={booking.id} booking={booking} />
        ))}
      </ul>
      {data.next !== null && onMore && (
        <Button onClick={() => data.next && onMore(data.next)}>{w.more}</Button>
      )}
    </>
  );
};

const Pages = () => {
  const cursors = useSignal<(string | undefined)[]>([undefined]);
  return (
    <>
      {cursors.value.map((cursor, at) => (
        <Page
          key={cursor ?? ''}
          cursor={cursor}
          {...(at === cursors.value.length - 1 && {
            onMore: (next: string) => {
              cursors.value = [...cursors.value, next];
            },
          })}
        />
      ))}
    </>
  );
};

/** The waitlist entries, above past bookings. */
const Content = () => {
  const { waitlist, entries, parts, isComing: isAsked } = useWaiting();
  // Requested at the same time as the waitlist.
  usePast(undefined);
  if (isAsked) return <Skeleton rows={3} height={110} />;
  return (
    <>
      {waitlist.isLoadingError && <ReadFailure failure={waitlist.error} again={waitlist.refetch} />}
      {parts && entries.length > 0 && (
        <>
          <parts.Offers entries={entries} />
          <parts.Waiting entries={entries} />
          <h2>{words.value.visits}</h2>
        </>
      )}
      <Pages />
    </>
  );
};

const History = () => (
  <Screen title={words.value.past}>
    <NeedsLogin>
      <Content />
    </NeedsLogin>
  </Screen>
);

export default History;
