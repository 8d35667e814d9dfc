import { useSignal } from '@preact/signals';
import { Download } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { authorized } from '../../shared/api/token.ts';
import { language } from '../../shared/preferences.ts';
import { addDays, daysBetween, duration } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';
import style from './Statistik.module.css';

type Numbers = Schemas['StatisticsNumbers'];
type RowOf = Schemas['StatisticsRow'];
const bys = ['day', 'doctor', 'session', 'hour'] as const;

const readStatistics = (from: string, to: string, by: (typeof bys)[number]) =>
  take(api.v1.admin.statistics.$get({ query: { from, to, by } }));

const minutes = (value: number | null): string =>
  value === null ? setup.value.statistics.none : duration(value);

const nameOf = (row: RowOf): string =>
  row.date !== undefined
    ? shortDate(row.date, today())
    : (row.doctor_name ??
      row.session_name ??
      (row.hour === undefined ? '' : `${String(row.hour).padStart(2, '0')}.00`));

const figuresOf = (now: Numbers, before: Numbers | undefined) => {
  const text = setup.value.statistics;
  const of = (read: (one: Numbers) => string) => ({
    now: read(now),
    before: before === undefined ? null : read(before),
  });
  return [
    [text.figures.booked, of((one) => text.ofSeats(one.booked_seats, one.offered_seats))],
    [text.figures.completed, of((one) => String(one.completed))],
    [text.figures.noShows, of((one) => String(one.no_shows))],
    [text.figures.waiting, of((one) => minutes(one.waiting_minutes_median))],
  ] as const;
};

/** A number and how long it is beside the longest. */
const Bar = ({ value, most }: { value: number; most: number }) => (
  <span class={style.barred}>
    <span class={style.bar} style={{ '--part': most === 0 ? 0 : value / most }} aria-hidden="true" />
    <span>{value}</span>
  </span>
);

/** How the clinic did: four figures with the period before, and a table with bars. */
const Statistik = () => {
  const { query, set } = useAddress();
  const text = setup.value.statistics;
  const to = query.sampai ?? today();
  const from = query.dari ?? addDays(to, -6);
  const by = bys.find((one) => one === query.menurut) ?? 'day';
  const days = daysBetween(from, to) + 1;
  const isRange = days >= 1 && days <= 366;
  const now = useRead({
    queryKey: ['statistik', from, to, by],
    queryFn: () => readStatistics(from, to, by),
    enabled: isRange,
    staleTime: 60_000,
  }).value;
  const before = useRead({
    queryKey: ['statistik', 'sebelum', from, to],
    queryFn: () => readStatistics(addDays(from, -days), addDays(from, -1), 'day'),
    enabled: isRange,
    staleTime: 300_000,
  }).value;
  const csvFailed = useSignal(false);
  const download = async (): Promise<void> => {
    csvFailed.value = false;
    try {
      const response = await authorized((headers) =>
        fetch(`/v1/admin/statistics?${new URLSearchParams({ by, from, to })}`, {
          headers: { ...headers, Accept: 'text/csv', 'Accept-Language': language.peek() },
        }),
      );
      if (!response.ok) throw new Error(String(response.status));
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = `statistik-${from}-${to}-${by}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch {
      csvFailed.value = true;
    }
  };
  const rows = now.data?.data ?? [];
  const most = Math.max(0, ...rows.map((row) => Math.max(row.offered_seats, row.booked_seats)));
  return (
    <Page title={words.value.nav.statistik}>
      <Freshness at={now.dataUpdatedAt || undefined} />
      <div class={look.body}>
        <div class={look.fields}>
          <Field
            label={text.from}
            type="date"
            max={to}
            value={from}
            onChange={(event) =>
              event.currentTarget.value && set({ dari: event.currentTarget.value, sampai: to })
            }
          />
          <Field
            label={text.to}
            type="date"
            min={from}
            value={to}
            onChange={(event) =>
              event.currentTarget.value && set({ sampai: event.currentTarget.value, dari: from })
            }
          />
          <Select
            label={text.by}
            value={by}
            onChange={(event) => set({ menurut: event.currentTarget.value })}
          >
            {bys.map((one) => (
              <option key={one} value={one}>
                {text.bys[one]}
              </option>
            ))}
          </Select>
          <Button icon={Download} onClick={() => void download()}>
            {text.csv}
          </Button>
        </div>
        {csvFailed.value && <p role="alert">{text.csvFailed}</p>}
        {now.data === undefined ? (
          now.error === null ? (
            <Skeleton rows={4} height={90} />
          ) : (
            <ReadFailure failure={now.error} again={now.refetch} />
          )
        ) : (
          <>
            <dl class={style.figures}>
              {figuresOf(now.data.meta.total, before.data?.meta.total).map(([name, value]) => (
                <div key={name} class={look.card}>
                  <dt class={look.soft}>{name}</dt>
                  <dd class={style.figure}>{value.now}</dd>
                  <dd class={look.soft}>{value.before === null ? '' : text.before(value.before)}</dd>
                </div>
              ))}
            </dl>
            {rows.length === 0 ? (
              <Empty>{text.empty}</Empty>
            ) : (
              <table class={look.table}>
                <caption>{text.caption(text.bys[by])}</caption>
                <thead>
                  <tr>
                    <th scope="col">{text.bys[by]}</th>
                    <th scope="col">{text.columns.offered}</th>
                    <th scope="col">{text.columns.booked}</th>
                    <th scope="col" class={look.number}>
                      {text.columns.completed}
                    </th>
                    <th scope="col" class={look.number}>
                      {text.columns.noShows}
                    </th>
                    <th scope="col" class={look.number}>
                      {text.columns.canceled}
                    </th>
                    <th scope="col">{text.columns.waiting}</th>
                    <th scope="col">{text.columns.visit}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={nameOf(row)}>
                      <th scope="row">{nameOf(row)}</th>
                      <td>
                        <Bar value={row.offered_seats} most={most} />
                      </td>
                      <td>
                        <Bar value={row.booked_seats} most={most} />
                      </td>
                      <td class={look.number}>{row.completed}</td>
                      <td class={look.number}>{row.no_shows}</td>
                      <td class={look.number}>
                        {row.canceled_by_patient + row.canceled_by_clinic + row.canceled_by_system}
                      </td>
                      <td>{minutes(row.waiting_minutes_median)}</td>
                      <td>{minutes(row.visit_minutes_median)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
      </div>
    </Page>
  );
};

export default Statistik;
