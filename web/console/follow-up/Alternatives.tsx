import { useLayoutEffect, useRef } from 'preact/hooks';
import { clockTime, nearDate } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { further } from '../words/follow-up.ts';

interface Props {
  of: readonly Schemas['Alternative'][];
  busy: boolean;
  onChoose: (slot: Schemas['Alternative']) => void;
}

/** Free times nearby when no date suits, each booked by a press. */
export const Alternatives = ({ of, busy, onChoose }: Props) => {
  const text = further.value.followUp;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector('button')?.focus(), [of]);
  return (
    <div ref={box}>
      <Banner kind="warning" role="alert">
        <p>{of.length === 0 ? text.nothingNear : text.nothing}</p>
        <div class={look.line}>
          {of.map((one) => (
            <Button
              small
              key={`${one.doctor_id}${one.session_id}${one.schedule_date}${one.schedule_time}`}
              busy={busy}
              why={whyNot()}
              onClick={() => onChoose(one)}
            >
              {nearDate(one.schedule_date, today())} {clockTime(one.schedule_time)} · {one.doctor_name}
            </Button>
          ))}
        </div>
      </Banner>
    </div>
  );
};
