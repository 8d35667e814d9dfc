import { useSignal, useSignalEffect } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { understood } from '../../shared/address.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { session } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { addDays } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Check, Select } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { DoctorHead } from '../book/DoctorHead.tsx';
import { useEnsured } from '../book/ensured.ts';
import { ForWhom } from '../book/ForWhom.tsx';
import { useFamilyFirst } from '../book/family.ts';
import { today, useSessions } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said } from '../screen.tsx';
import { words } from '../words/waitlist.ts';
import { words as own } from '../words.ts';
import style from './waitlist.module.css';
import { refreshWaitlist } from './waitlist.ts';

const usualDays = 14;

interface Wish {
  session: string;
  doctor: string | null;
  from: string;
  to: string;
  earliest: string;
  latest: string;
  patient: string | null;
}

const send = (key: string, { session: id, doctor, from, to, earliest, latest, patient }: Wish) => {
  const json = {
    session_id: id,
    doctor_id: doctor,
    from,
    to,
    earliest_time: earliest === '' ? null : `${earliest}:00`,
    latest_time: latest === '' ? null : `${latest}:00`,
    ...(patient !== null && { patient_id: patient }),
  };
  return take(api.v1.waitlist.$post({ json, header: { 'Idempotency-Key': key } }));
};

/** If the entry already exists, a link to it. */
const leadsToList = (failure: Error | null): boolean =>
  failure instanceof Refused && ['already_waiting', 'waitlist_full'].includes(failure.code);

const useWish = () => {
  const { query } = useLocation();
  const { dokter = '', layanan = '', dari = '', sampai = '' } = understood(query);
  const typed = {
    session: useSignal(layanan),
    isAnyDoctor: useSignal(false),
    from: useSignal<string | null>(null),
    to: useSignal<string | null>(null),
    earliest: useSignal(''),
    latest: useSignal(''),
    patient: useSignal<string | null>(null),
  };
  // The next person has another family.
  useSignalEffect(() => {
    if (session.value.kind === 'out' && !session.value.ended) typed.patient.value = null;
  });
  // The clinic's zone may become known after the first render: then its date changes.
  const from = typed.from.value ?? (dari > today() ? dari : today());
  const last = typed.to.value ?? (sampai >= from ? sampai : addDays(from, usualDays - 1));
  return { doctor: dokter, given: layanan, from, to: last > from ? last : from, chosen: typed };
};

/** A small form: session, dates, patient; the login comes last. */
const Wait = () => {
  const w = words.value;
  const { route } = useLocation();
  const { doctor, given, from, to, chosen } = useWish();
  const sessions = useSessions().data ?? [];
  const join = useAttempt(send);
  const of = chosen.session.value || (sessions.length === 1 ? (sessions[0]?.id ?? '') : '');
  const run = async (): Promise<void> => {
    const wish = {
      session: of,
      doctor: chosen.isAnyDoctor.peek() || doctor === '' ? null : doctor,
      from,
      to,
      earliest: chosen.earliest.peek(),
      latest: chosen.latest.peek(),
      patient: chosen.patient.peek(),
    };
    if (!(await join.run(wish))) return;
    const text = words.value.joined(family.nameOf(wish.patient));
    void refreshWaitlist();
    route('/pasien/');
    setTimeout(() => (said.value = text), 50);
  };
  const failure = join.failure.value;
  const isEnsuring = useEnsured(failure, () => void run());
  const family = useFamilyFirst(() => void run());
  // A request in progress is repeated exactly as it was sent: with another wish it would be another entry.
  const isOnItsWay = join.busy.value || isEnsuring || family.isPressed;
  const fields = failure instanceof Refused ? failure.fields : {};
  const back = doctor === '' ? '/pasien/dokter' : `/pasien/dokter/${doctor}${given && `?layanan=${given}`}`;
  const name = sessions.find(({ id }) => id === of)?.name;
  return (
    <Screen title={w.title} back={back}>
      {doctor !== '' && <DoctorHead id={doctor} {...(name !== undefined && { more: name })} />}
      <p>{w.about}</p>
      <form
        class={form.form}
        id="tunggu"
        onSubmit={(event) => {
          event.preventDefault();
          if (session.peek().kind === 'in') family.press();
        }}
      >
        {given === '' && sessions.length > 1 && (
          <Select
            label={own.value.session}
            required
            errors={fields.session_id}
            disabled={isOnItsWay}
            value={of}
            onChange={(event) => (chosen.session.value = event.currentTarget.value)}
          >
            <option value="" />
            {sessions.map(({ id, name: each }) => (
              <option key={id} value={id}>
                {each}
              </option>
            ))}
          </Select>
        )}
        {doctor !== '' && (
          <Check
            label={w.anyDoctor}
            disabled={isOnItsWay}
            checked={chosen.isAnyDoctor.value}
            onChange={(event) => (chosen.isAnyDoctor.value = event.currentTarget.checked)}
          />
        )}
        <div class={style.pair}>
          <DateField
            label={w.from}
            required
            min={today()}
            errors={fields.from}
            readOnly={isOnItsWay}
            value={from}
            onInput={({ currentTarget: { value } }) => (chosen.from.value = value)}
          />
          <DateField
            label={w.to}
            required
            min={from}
            errors={fields.to}
            readOnly={isOnItsWay}
            value={to}
            onInput={({ currentTarget: { value } }) => (chosen.to.value = value)}
          />
        </div>
        <details class={form.fold} open={'earliest_time' in fields || 'latest_time' in fields || undefined}>
          <summary class={form.summary}>{w.certainTimes}</summary>
          <div class={style.pair}>
            <TimeField
              label={w.earliest}
              optional
              errors={fields.earliest_time}
              readOnly={isOnItsWay}
              value={chosen.earliest.value}
              onInput={({ currentTarget: { value } }) => (chosen.earliest.value = value)}
            />
            <TimeField
              label={w.latest}
              optional
              errors={fields.latest_time}
              readOnly={isOnItsWay}
              value={chosen.latest.value}
              onInput={({ currentTarget: { value } }) => (chosen.latest.value = value)}
            />
          </div>
        </details>
      </form>
      <NeedsLogin say={w.loginHere}>
        <ForWhom chosen={chosen.patient} isFixed={isOnItsWay} />
        {isEnsuring ? (
          <Banner kind="warning" role="alert">
            {w.ensuring}
          </Banner>
        ) : (
          <FormFailure
            failure={failure}
            labels={{
              session_id: own.value.session,
              from: w.from,
              to: w.to,
              earliest_time: w.earliest,
              latest_time: w.latest,
              patient_id: own.value.forWhom,
            }}
          />
        )}
        {leadsToList(failure) && <ButtonLink href="/pasien/">{w.seeList}</ButtonLink>}
        <p class={form.small}>{w.told}</p>
        <SendButton look="primary" type="submit" form="tunggu" wide busy={isOnItsWay} why={family.why}>
          {join.busy.value ? w.joining : w.join}
        </SendButton>
      </NeedsLogin>
    </Screen>
  );
};

export default Wait;
