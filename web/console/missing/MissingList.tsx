import { ButtonLink } from '../../shared/ui/Button.tsx';
import type { Schemas } from '../data/bookings.ts';
import look from '../ui/page.module.css';
import { beginning } from '../words/first-run.ts';
import style from './MissingList.module.css';

export type Missing = Schemas['SetupState']['missing'][number];

/** Where each is mended. */
const places: Readonly<Record<Missing, string>> = {
  clinic_name: '/konsol/klinik',
  session: '/konsol/layanan',
  doctor: '/konsol/dokter',
  schedule: '/konsol/jadwal',
  second_factor: '/konsol/akun',
  mail: '/mulai/email',
  mail_failing: '/mulai/email',
  backup: '/mulai/cadangan',
};

/** What the clinic still needs, one line each with a link to set it up. */
export const MissingList = ({ missing }: { missing: readonly Missing[] }) => {
  const text = beginning.value;
  if (missing.length === 0) return <p class={look.strong}>{text.ready.all}</p>;
  return (
    <ul class={style.list}>
      {missing.map((one) => (
        <li key={one} class={style.line}>
          <span>{text.missing[one]}</span>
          <ButtonLink small href={places[one]}>
            {text.fix[one]}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
};
