import { Printer } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { monthAndYear } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { today } from '../data/clinic.ts';
import { Shown } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { Figures } from './Figures.tsx';
import { Picture } from './Line.tsx';
import { monthsUntil, rangeBefore, rangeOfMonth } from './periods.ts';
import { useStatistics } from './read.ts';
import style from './Statistics.module.css';
import { Groups, Leads } from './Tables.tsx';
import { Week } from './Week.tsx';

/** Which month, and its print. */
export const ReportFields = ({ month, onChoose }: { month: string; onChoose: (month: string) => void }) => {
  const text = setup.value.statistics;
  return (
    <>
      <Select label={text.month} value={month} onChange={(event) => onChoose(event.currentTarget.value)}>
        {monthsUntil(today(), 24).map((first) => (
          <option key={first} value={first.slice(0, 7)}>
            {monthAndYear(first)}
          </option>
        ))}
      </Select>
      <Button icon={Printer} onClick={() => print()}>
        {text.print}
      </Button>
    </>
  );
};

/** How high the report may be beside its width: on A4 and Letter, below the name of the clinic, with usual margins. */
const highest = 215 / 184;

/** Before a print a part of the page becomes as large as fits on one page; how long its tables are, only a layout tells. */
const useFittingPaper = () => {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fit = ({ type }: Event): void => {
      const node = part.current;
      node?.classList.toggle(style.paper ?? '', type === 'beforeprint');
      for (let percent = 70; percent >= 10 && type === 'beforeprint'; percent -= 2) {
        node?.style.setProperty('--scale', `${percent / 100}`);
        const { width = 1, height = 0 } = node?.getBoundingClientRect() ?? {};
        if (height <= highest * width) return;
      }
    };
    addEventListener('beforeprint', fit);
    addEventListener('afterprint', fit);
    return () => {
      removeEventListener('beforeprint', fit);
      removeEventListener('afterprint', fit);
    };
  }, []);
  return part;
};

/** One month on one printed page. */
export const Report = ({ month }: { month: string }) => {
  const text = setup.value.statistics;
  const range = rangeOfMonth(month);
  const report = useFittingPaper();
  const days = useStatistics(range, 'day');
  const before = useStatistics(rangeBefore('month', range), 'day');
  const others = {
    doctor: useStatistics(range, 'doctor'),
    session: useStatistics(range, 'session'),
    weekday_hour: useStatistics(range, 'weekday_hour'),
    lead: useStatistics(range, 'lead'),
  };
  return (
    <Shown of={days} height={90}>
      {({ data, meta }) => (
        <div class={style.report} ref={report}>
          <h2 class={style.reportTitle}>{text.reportOf(monthAndYear(range.from))}</h2>
          <Figures now={meta.total} before={before.data?.meta.total} />
          <Picture figure="booked" now={data} before={before.data?.data ?? []} />
          <div class={style.parts}>
            <div class={style.beside}>
              <Shown of={others.doctor}>
                {({ data: rows }) => <Groups by="doctor" rows={rows} isBrief />}
              </Shown>
              <Shown of={others.session}>
                {({ data: rows }) => <Groups by="session" rows={rows} isBrief />}
              </Shown>
            </div>
            <Shown of={others.weekday_hour}>{({ data: rows }) => <Week rows={rows} />}</Shown>
            <Shown of={others.lead}>{({ data: rows }) => <Leads rows={rows} />}</Shown>
          </div>
        </div>
      )}
    </Shown>
  );
};
