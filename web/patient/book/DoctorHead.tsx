import { fullName, practiceText } from '../../shared/doctor.ts';
import { ReadFailure } from '../../shared/ui/States.tsx';
import { initials, useDoctor } from '../clinic.ts';
import style from './DoctorHead.module.css';

/** The doctor: shown on every step of a booking. */
export const DoctorHead = ({ id, more }: { id: string; more?: string }) => {
  const { data, error, refetch } = useDoctor(id);
  if (error !== null && data === undefined) return <ReadFailure failure={error} again={refetch} />;
  return (
    <div class={style.head}>
      <span class={style.initials} aria-hidden="true">
        {data ? initials(data.name) : ''}
      </span>
      <div>
        <p class={style.name}>{data ? fullName(data) : '…'}</p>
        <p class={style.more}>{more ?? practiceText(data)}</p>
      </div>
    </div>
  );
};
