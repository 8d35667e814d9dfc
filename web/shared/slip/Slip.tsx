import { clockTime, longDate, zoneName } from '../time.ts';
import { QrCode } from '../ui/QrCode.tsx';
import { words } from '../words/karcis.ts';
import style from './Slip.module.css';

/** What a slip says of a booking. A phone number or a NIK has no place on it. */
export interface SlipContent {
  clinic: string;
  queue_label: string;
  doctor_name: string;
  session_name: string;
  schedule_date: string;
  schedule_time: string;
  starts_at: string;
  booking_code: string;
  room?: string | null;
  /** The patient's name, where the device prints it. */
  name: string | null;
  /** What it is, if it is no patient's. */
  heading?: string;
}

/** A longer label is smaller, so that it stays on one line. */
const labelSize = (label: string): string | undefined =>
  label.length > 8 ? style.longest : label.length > 5 ? style.long : undefined;

export const Slip = ({ slip }: { slip: SlipContent }) => {
  const text = words.value;
  return (
    <>
      <p class={style.clinic}>{slip.clinic}</p>
      {slip.heading && <p class={style.strong}>{slip.heading}</p>}
      <p class={style.caption}>{text.number}</p>
      <p class={[style.label, labelSize(slip.queue_label)].filter(Boolean).join(' ')}>{slip.queue_label}</p>
      {slip.name !== null && <p class={style.strong}>{slip.name}</p>}
      <p class={style.strong}>{slip.doctor_name}</p>
      <p>{slip.session_name}</p>
      {slip.room && <p class={style.strong}>{slip.room}</p>}
      <p>{longDate(slip.schedule_date)}</p>
      <p class={style.strong}>
        {clockTime(slip.schedule_time)} {zoneName(slip.starts_at)}
      </p>
      <div class={style.code}>
        <QrCode text={slip.booking_code} label={text.qr(slip.booking_code)} />
      </div>
      <p class={style.caption}>{text.code}</p>
      <p class={style.strong}>{slip.booking_code}</p>
    </>
  );
};
