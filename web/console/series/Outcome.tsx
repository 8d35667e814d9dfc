import { useLayoutEffect, useRef } from 'preact/hooks';
import { isLimit } from '../../../src/modules/catalog/slots/limit-rules.ts';
import { clockTime } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import { further } from '../words/follow-up.ts';
import style from './Series.module.css';
import type { Made, OnConflict, Result } from './useSeries.ts';

const explainResult = ({ code, reason }: Result): string => {
  if (reason !== null) return common.value.closed[reason].toLowerCase();
  return code === null ? '' : further.value.series.whys[code];
};

const Became = ({ of, wished, isMade }: { of: Result; wished: string; isMade: boolean }) => {
  const text = further.value.series.results;
  switch (of.result) {
    case 'booked':
      return <>{text.booked}</>;
    case 'nearest':
      return <b>{text.nearest(clockTime(wished), explainResult(of))}</b>;
    case 'free':
      return <>{text.free}</>;
    case 'refused':
      return (
        <span class={style.no}>
          {isMade ? text.skipped(explainResult(of)) : text.refused(explainResult(of))}
        </span>
      );
  }
};

interface ResultsProps {
  of: readonly Result[];
  /** The time that was wished for. */
  wished: string;
  isMade: boolean;
}

/** The outcome of each date, or why it was refused. */
const Results = ({ of, wished, isMade }: ResultsProps) => {
  const text = further.value.series;
  return (
    <Table
      caption={text.result}
      rows={of.map((one) => ({ ...one, id: one.schedule_date }))}
      columns={[
        {
          name: text.columns.date,
          isHead: true,
          cell: ({ booking, schedule_date: date }) =>
            booking === null ? (
              shortDate(date, today())
            ) : (
              <a class={look.plainLink} href={`/konsol/?tanggal=${date}&janji=${booking.id}`}>
                {shortDate(date, today())}
              </a>
            ),
        },
        {
          name: text.columns.time,
          look: 'brief',
          cell: ({ booking }) => clockTime(booking?.schedule_time ?? wished),
        },
        { name: text.columns.result, cell: (one) => <Became of={one} wished={wished} isMade={isMade} /> },
      ]}
    />
  );
};

/** The series is booked: on which dates, and at which time where that is another one. */
export const Done = ({
  made,
  patientId,
  onAgain,
}: {
  made: Made;
  patientId: string;
  onAgain: () => void;
}) => {
  const text = further.value.series;
  const booked = made.results.filter(({ booking }) => booking !== null).length;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <section class={style.outcome}>
      <div ref={box} tabIndex={-1} role="status">
        <h2>{text.done(booked, made.results.length)}</h2>
      </div>
      <Results of={made.results} wished={made.time} isMade />
      <div class={look.line}>
        <ButtonLink look="primary" href={`/konsol/pasien/${patientId}`}>
          {text.toPatient}
        </ButtonLink>
        <Button onClick={onAgain}>{text.again}</Button>
      </div>
    </section>
  );
};

interface ConflictProps {
  results: readonly Result[];
  wished: string;
  isPresent: boolean;
  busy: boolean;
  onSend: (onConflict: OnConflict, passesLimits?: boolean) => void;
}

/** Nothing was booked: why each date was refused, and what one press can do about it. */
export const Conflict = ({ results, wished, isPresent, busy, onSend }: ConflictProps) => {
  const text = further.value.series;
  const refused = results.filter(({ result }) => result === 'refused').length;
  const rest = results.length - refused;
  const isLimited = results.some(({ reason }) => isLimit(reason));
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector('button')?.focus();
  }, [results]);
  return (
    <section class={style.outcome} ref={box}>
      <Banner kind="warning" role="alert">
        <p>{text.nothingBooked(refused, results.length)}</p>
      </Banner>
      {isPresent && (
        <div class={look.line}>
          {rest > 0 && (
            <Button look="primary" busy={busy} why={whyNot()} onClick={() => onSend('skip')}>
              {text.withoutThem(rest)}
            </Button>
          )}
          <Button busy={busy} why={whyNot()} onClick={() => onSend('nearest')}>
            {text.withNearest}
          </Button>
          {isLimited && (
            <Button
              busy={busy}
              why={whyNot()}
              title={desk.value.limit.ask}
              onClick={() => onSend('fail', true)}
            >
              {text.passLimits}
            </Button>
          )}
          <span class={look.soft}>{text.orChange}</span>
        </div>
      )}
      <Results of={results} wished={wished} isMade={false} />
    </section>
  );
};
