import { Inbox } from 'lucide';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { shortDoctor } from '../../shared/doctor.ts';
import { clockTime } from '../../shared/time.ts';
import { Pending, ReadFailure } from '../../shared/ui/States.tsx';
import { clearNote, notes, said } from '../data/act.ts';
import { type Booking, listActions, phoneTail } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { byWait, farKey, nearKey, useWaiting, waitingMs } from '../data/waiting.ts';
import { moveInGrid } from '../day/keys.ts';
import { Page } from '../shell/Page.tsx';
import { ActButton, offlineId } from '../ui/ActButton.tsx';
import { perform } from '../ui/Ask.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { Further } from '../ui/Further.tsx';
import { NotDone } from '../ui/NotDone.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { shortDate, sinceWords } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';
import style from './Approvals.module.css';

/** The free seats of a day's slots, requested once for all rows of the day. */
const Left = ({ booking }: { booking: Booking }) => {
  const date = booking.schedule_date;
  const slots = useRead({
    queryKey: ['jadwal-hari', date, 'semua'],
    queryFn: async () => (await take(api.v1.slots.$get({ query: { date, include: 'unavailable' } }))).data,
    staleTime: 15_000,
  }).value.data;
  const text = desk.value.approval;
  const slot = slots?.find(
    (one) => one.doctor_id === booking.doctor_id && one.schedule_time === booking.schedule_time,
  );
  if (slot === undefined) return <>{text.unknown}</>;
  return <>{slot.remaining > 0 ? text.left(slot.remaining, slot.capacity) : text.full(slot.capacity)}</>;
};

const Row = ({ booking: listed }: { booking: Booking }) => {
  const text = words.value;
  const note = notes.value.get(listed.id);
  const booking = note?.booking ?? listed;
  const actions = listActions(booking, now.value);
  const { name } = booking.patient;
  return (
    <tr class={style.row} data-row={booking.id}>
      <td class={`${look.soft} ${style.nowrap}`}>
        {desk.value.approval.waited(sinceWords(booking.created_at, now.value))}
      </td>
      <td>
        {shortDate(booking.schedule_date, today())} <b>{clockTime(booking.schedule_time)}</b>
      </td>
      <td>
        <span class={look.strong}>{name}</span> <span class={look.soft}>{phoneTail(booking.patient)}</span>
        {booking.notes !== '' && <p class={look.soft}>{booking.notes}</p>}
        <NotDone id={booking.id} />
      </td>
      <td>
        {shortDoctor(booking.doctor_name)} · {booking.session_name}
      </td>
      <td class="tnum">
        <Left booking={booking} />
      </td>
      <td>
        <div class={style.actions}>
          {actions.has('approve') && (
            <ActButton
              look="primary"
              stop="approve"
              busy={note?.busy === 'approve'}
              label={`${text.verbs.approve}: ${name}`}
              onPress={() => perform(booking, 'approve')}
            >
              {text.verbs.approve}
            </ActButton>
          )}
          {actions.has('reject') && (
            <ActButton
              stop="reject"
              tabIndex={-1}
              busy={note?.busy === 'reject'}
              label={`${text.verbs.reject}: ${name}`}
              onPress={() => perform(booking, 'reject')}
            >
              {text.verbs.reject}
            </ActButton>
          )}
          <Further booking={booking} tabIndex={actions.has('approve') ? -1 : 0} />
        </div>
      </td>
    </tr>
  );
};

/** Everything that waits, of all days: oldest first. */
const Approvals = () => {
  const text = desk.value.approval;
  const { near: list, far, all } = useWaiting();
  const grid = useRef<HTMLTableElement>(null);
  const lastNth = useRef(0);
  // An answered request leaves the list at once, and the focus moves to the row that takes its place.
  const answered = said.value;
  useEffect(() => {
    if (answered === null) return;
    for (const queryKey of [[...nearKey, 'daftar'], farKey])
      queries.setQueriesData<Booking[]>({ queryKey }, (held) =>
        held?.filter((one) => one.id !== answered.booking.id || answered.booking.status === 'waiting'),
      );
  }, [answered]);
  const known = useRef(new Map<string, Booking>());
  for (const one of all ?? []) known.current.set(one.id, one);
  // Where another desk was first, the row stays until it was read.
  const kept = [...notes.value]
    .filter(([id, note]) => note.conflict && !all?.some((one) => one.id === id))
    .flatMap(([id]) => known.current.get(id) ?? []);
  const rows = [...(all ?? []), ...kept].sort(byWait);
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || rows.length === 0) return;
    const rest = grid.current?.querySelectorAll<HTMLElement>('[data-stop="approve"]') ?? [];
    rest[Math.min(lastNth.current, rest.length - 1)]?.focus();
  }, [rows.length]);
  return (
    <Page
      title={words.value.nav.persetujuan}
      beside={<span class={look.soft}>{all && text.count(rows.length)}</span>}
    >
      <p class="aloud" role="status">
        {answered === null ? '' : words.value.done[answered.verb](answered.booking.patient.name)}
      </p>
      <div id={offlineId}>
        <Age of={{ ...list, isError: list.isError || far.isError }} everyMs={waitingMs} />
      </div>
      <div class={look.body}>
        {far.data === undefined && far.error !== null && list.data !== undefined && (
          <ReadFailure failure={far.error} again={far.refetch} />
        )}
        {all === undefined ? (
          <Pending rows={8} height={44} error={list.error} again={list.refetch} />
        ) : rows.length === 0 ? (
          <EmptyBookings icon={Inbox}>{text.empty}</EmptyBookings>
        ) : (
          <>
            <p class={`${look.soft} ${style.keys}`}>{text.hint}</p>
            <table
              // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move in it, as in a grid.
              role="grid"
              ref={grid}
              class={look.table}
              aria-label={text.heading}
              onKeyDown={moveInGrid}
              onFocusIn={(event) => {
                const row = event.target instanceof Element ? event.target.closest('tr[data-row]') : null;
                if (row !== null) lastNth.current = [...(row.parentElement?.children ?? [])].indexOf(row);
                const id = row?.getAttribute('data-row');
                if (id && notes.peek().get(id)?.conflict && event.target instanceof HTMLElement)
                  clearNoteLater(id);
              }}
            >
              <thead>
                <tr>
                  {(['asked', 'when', 'patient', 'doctor', 'left', 'action'] as const).map((name) => (
                    <th scope="col" key={name} class={name === 'action' ? look.number : undefined}>
                      {text.columns[name]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((booking) => (
                  <Row key={booking.id} booking={booking} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </Page>
  );
};

/** The message about a row is removed after the person came back to it and had time to read. */
const clearNoteLater = (id: string): void => {
  setTimeout(() => clearNote(id), 15_000);
};

export default Approvals;
