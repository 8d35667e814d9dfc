import { Download } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { addDays, daysBetween, isDate } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { today } from '../data/clinic.ts';
import { asked, saveFile } from '../data/file.ts';
import { Page } from '../shell/Page.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import look from '../ui/page.module.css';
import { Age, Shown, whyNot } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Figures } from './Figures.tsx';
import { Line } from './Line.tsx';
import { rangeBefore } from './periods.ts';
import { Report, ReportFields } from './Report.tsx';
import { type By, bys, useStatistics } from './read.ts';
import { figureNames, type RowOf } from './rows.ts';
import style from './Statistics.module.css';
import { Groups, Leads } from './Tables.tsx';
import { Week } from './Week.tsx';

/** What can be chosen: a grouping, two of them beside each other, or a month on paper. */
const views = [...bys, 'beside', 'report'] as const;
type View = (typeof views)[number];

const overTime: readonly View[] = ['day', 'week', 'month'];

const Beside = ({ range, rows }: { range: { from: string; to: string }; rows: readonly RowOf[] }) => {
  const bySession = useStatistics(range, 'session');
  return (
    <div class={style.beside}>
      <Groups by="doctor" rows={rows} isBrief />
      <Shown of={bySession}>{({ data }) => <Groups by="session" rows={data} isBrief />}</Shown>
    </div>
  );
};

/** The rows of a range in the chosen view. */
const Rows = ({
  view,
  by,
  range,
  rows,
}: {
  view: View;
  by: By;
  range: { from: string; to: string };
  rows: readonly RowOf[];
}) => {
  if (view === 'beside') return <Beside range={range} rows={rows} />;
  if (by === 'weekday_hour') return <Week rows={rows} />;
  return by === 'lead' ? <Leads rows={rows} /> : <Groups by={by} rows={rows} />;
};

type RangeView = Exclude<View, 'report'>;

const groupingOf = (view: RangeView): By => (view === 'beside' ? 'doctor' : view);

/** The range that the address names: the last seven days unless it does. */
const useRange = () => {
  const { query, set } = useAddress();
  const to = query.sampai ?? today();
  const from = query.dari ?? addDays(to, -6);
  const days = daysBetween(from, to) + 1;
  return { from, to, isRange: days >= 1 && days <= 366, query, set };
};

const RangeFields = ({ view }: { view: RangeView }) => {
  const { from, to, isRange, set } = useRange();
  const text = setup.value.statistics;
  const by = groupingOf(view);
  const download = useAttempt(async () => {
    const table = await asked(`/v1/admin/statistics?${new URLSearchParams({ by, from, to })}`, 'text/csv');
    saveFile(`statistik-${from}-${to}-${by}.csv`, table);
  });
  return (
    <>
      <DateField label={text.from} max={to} value={from} onDone={(date) => set({ dari: date, sampai: to })} />
      <DateField label={text.to} min={from} value={to} onDone={(date) => set({ sampai: date, dari: from })} />
      <Button
        icon={Download}
        busy={download.busy.value}
        why={whyNot() ?? (isRange ? null : text.badRange)}
        onClick={() => void download.run()}
      >
        {text.csv}
      </Button>
      <FormFailure failure={download.failure.value} />
    </>
  );
};

const Range = ({ view }: { view: RangeView }) => {
  const { from, to, isRange, query, set } = useRange();
  const text = setup.value.statistics;
  const by = groupingOf(view);
  const range = { from, to };
  const figure = figureNames.find((one) => one === query.angka) ?? 'booked';
  const now = useStatistics(range, by, isRange);
  const before = useStatistics(rangeBefore(by, range), overTime.includes(by) ? by : 'day', isRange);
  if (!isRange) return <p role="alert">{text.badRange}</p>;
  return (
    <>
      <Age of={now} />
      <Shown of={now} height={90}>
        {({ data, meta }) => (
          <>
            <Figures now={meta.total} before={before.data?.meta.total} />
            {data.length === 0 ? (
              <EmptyBookings>{text.empty}</EmptyBookings>
            ) : (
              <>
                {overTime.includes(by) && (
                  <Line
                    figure={figure}
                    now={data}
                    before={before.data?.data ?? []}
                    onChoose={(one) => set({ angka: one })}
                  />
                )}
                <Rows view={view} by={by} range={range} rows={data} />
              </>
            )}
          </>
        )}
      </Shown>
    </>
  );
};

/** How the clinic did: four figures with the period before, and a picture with its table. */
const Statistics = () => {
  const { query, set } = useAddress();
  const text = setup.value.statistics;
  const view = views.find((one) => one === query.menurut) ?? 'day';
  const month = isDate(`${query.bulan}-01`) ? `${query.bulan}` : today().slice(0, 7);
  return (
    <Page title={words.value.nav.statistik}>
      <div class={look.body}>
        <div class={`${look.fields} ${style.onScreen}`}>
          <Select
            label={text.by}
            value={view}
            onChange={(event) => set({ menurut: event.currentTarget.value })}
          >
            {views.map((one) => (
              <option key={one} value={one}>
                {text.bys[one]}
              </option>
            ))}
          </Select>
          {view === 'report' ? (
            <ReportFields month={month} onChoose={(one) => set({ bulan: one })} />
          ) : (
            <RangeFields view={view} />
          )}
        </div>
        {view === 'report' ? <Report month={month} /> : <Range view={view} />}
      </div>
    </Page>
  );
};

export default Statistics;
