import { clockTime } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import type { DaySlot } from '../data/slots.ts';
import { Page } from '../shell/Page.tsx';
import { SlipButton } from '../slip/SlipButton.tsx';
import look from '../ui/page.module.css';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';
import style from './WalkIn.module.css';

export interface Made {
  id: string;
  label: string | null;
  name: string;
  slot: DaySlot;
}

interface Props {
  made: Made;
  date: string;
  isToday: boolean;
  onNext: () => void;
}

/** The number for the patient, and the link to register the next one. */
export const Done = ({ made, date, isToday, onNext }: Props) => {
  const text = desk.value.walkIn;
  const { label, name, slot: taken, id } = made;
  return (
    <Page title={text.title} ownFocus>
      <div class={look.body}>
        <section class={style.done} aria-live="polite">
          <h2>{text.done}</h2>
          <TicketNumber label={label ?? '…'} size="large" />
          <p>{text.doneText(name, taken.doctor_name, clockTime(taken.schedule_time))}</p>
          {taken.room && <p class={look.soft}>{taken.room}</p>}
          <div class={look.line}>
            <Button look="primary" id="berikutnya" onClick={onNext}>
              {text.again}
            </Button>
            {label !== null && <SlipButton id={id} />}
            <ButtonLink href={`/konsol/?janji=${id}${isToday ? '' : `&tanggal=${date}`}`}>
              {words.value.day.open}
            </ButtonLink>
          </div>
        </section>
      </div>
    </Page>
  );
};
