import { Download } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { addDays, daysBetween, duration, wholeHour } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';

import { Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';

import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { asked, saveFile } from '../data/file.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import look from '../ui/page.module.css';
import { Age, Shown, whyNot } from '../ui/Shown.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import style from './Statistics.module.css';
import { Week } from './Week.tsx';

type Numbers = Schemas['StatisticsNumbers'];
type RowOf = Schemas['StatisticsRow'];
const bys = ['day', 'doctor', 'session', 'hour', 'weekday_hour'] as const;

const readStatistics = (from: string, to: string, by: (typeof bys)[number]) =>
  take(api.v1.admin.statistics.$get({ query: { from, to, by } }));

const minutes = (value: number | null): string =>
  value === null ? setup.value.statistics.none : duration(value);

const formatRowName = (row: RowOf): string =>
  row.date !== undefined
    ? shortDate(row.date, today())
    : (row.doctor_name ?? row.session_name ?? (row.hour === undefined ? '' : wholeHour(row.hour)));

const listFigures = (now: Numbers, before: Numbers | undefined) => {
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
    <span class={style.track} aria-hidden="true">
      <span class={value > 0 ? style.bar : style.none} style={{ '--part': most === 0 ? 0 : value / most }} />
    </span>
    <span>{value}</span>
  </span>
);

const listColumns = (by: (typeof bys)[number], most: number): Column<RowOf>[] => {
  const text = setup.value.statistics;
  const bar = (read: (row: RowOf) => number) => (row: RowOf) => <Bar value={read(row)} most={most} />;
  const number = (name: string, read: (row: RowOf) => number): Column<RowOf> => ({
    name,
    cell: read,
    look: 'number',
  });
  return [
    { name: text.bys[by], isHead: true, cell: formatRowName },
    { name: text.columns.offered, cell: bar((row) => row.offered_seats) },
    { name: text.columns.booked, cell: bar((row) => row.booked_seats) },
    number(text.columns.completed, (row) => row.completed),
    number(text.columns.noShows, (row) => row.no_shows),
    number(
      text.columns.canceled,
      (row) => row.canceled_by_patient + row.canceled_by_clinic + row.canceled_by_system,
    ),
    { name: text.columns.waiting, look: 'number', cell: (row) => minutes(row.waiting_minutes_median) },
    { name: text.columns.visit, look: 'number', cell: (row) => minutes(row.visit_minutes_median) },
  ];
};

/** How the clinic did: four figures with the period before, and a table with bars. */
const Statistics = () => {
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
  const download = useAttempt(async () => {
    const table = await asked(`/v1/admin/statistics?${new URLSearchParams({ by, from, to })}`, 'text/csv');
    saveFile(`statistik-${from}-${to}-${by}.csv`, table);
  });
  const rows = now.data?.data ?? [];
  const most = Math.max(0, ...rows.map((row) => Math.max(row.offered_seats, row.booked_seats)));
  return (
    <Page title={words.value.nav.statistik}>
      <Age of={now} />
      <div class={look.body}>
        <div class={look.fields}>
          <DateField
            label={text.from}
            max={to}
            value={from}
            onDone={(date) => set({ dari: date, sampai: to })}
          />
          <DateField
            label={text.to}
            min={from}
            value={to}
            onDone={(date) => set({ sampai: date, dari: from })}
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
          <Button
            icon={Download}
            busy={download.busy.value}
            why={whyNot() ?? (isRange ? null : text.badRange)}
            onClick={() => void download.run()}
          >
            {text.csv}
          </Button>
        </div>
        <FormFailure failure={download.failure.value} />
        {!isRange ? (
          <p role="alert">{text.badRange}</p>
        ) : (
          <Shown of={now} height={90}>
            {({ data, meta }) => (
              <>
                <dl class={style.figures}>
                  {listFigures(meta.total, before.data?.meta.total).map(([name, value]) => (
                    <div key={name} class={look.card}>
                      <dt class={look.soft}>{name}</dt>
                      <dd class={style.figure}>{value.now}</dd>
                      <dd class={look.soft}>{value.before === null ? '' : text.before(value.before)}</dd>
                    </div>
                  ))}
                </dl>
                {data.length === 0 ? (
                  <EmptyBookings>{text.empty}</EmptyBookings>
                ) : by === 'weekday_hour' ? (
                  <Week rows={data} />
                ) : (
                  <Table
                    caption={text.caption(text.bys[by])}
                    isCaptionShown
                    rows={data.map((row) => ({
                      ...row,
                      id: row.doctor_id ?? row.session_id ?? formatRowName(row),
                    }))}
                    columns={listColumns(by, most)}
                  />
                )}
              </>
            )}
          </Shown>
        )}
      </div>
    </Page>
  );
};

export default Statistics;
