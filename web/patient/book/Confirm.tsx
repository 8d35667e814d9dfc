import { signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { understood } from '../../shared/address.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { onForget } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { clockTime, nearDate, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { TextArea } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, Empty, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { today, useCodes, useSessions } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, sayOnNext } from '../screen.tsx';
import { refreshBookings } from '../ticket/booking.ts';
import { keepsTyped } from '../version.tsx';
import { words } from '../words.ts';
import style from './Confirm.module.css';
import { Conflict } from './Conflict.tsx';
import { useChosenTime } from './chosen.ts';
import { DoctorHead } from './DoctorHead.tsx';
import { useEnsured } from './ensured.ts';
import { ForWhom } from './ForWhom.tsx';
import { useFamilyFirst } from './family.ts';
import { HoldNote } from './HoldNote.tsx';
import { type Chosen, forgetHold, held, holdHeader, refusal, useHold } from './hold.ts';
import { useLimits } from './limits.ts';

const maxNote = 1_000;

// Stored outside of the screen: a conflict or a login in between loses no input.
const note = signal('');
const forWhom = signal<string | null>(null);
const forgetTyped = (): void => {
  note.value = '';
  forWhom.value = null;
};
onForget((ended) => {
  if (!ended) forgetTyped();
});
keepsTyped(() => note.peek() !== '' || forWhom.peek() !== null);

const Booking = ({ chosen, shown }: { chosen: Chosen; shown: RefObject<HTMLElement | null> }) => {
  const w = words.value;
  const { route } = useLocation();
  const made = useSignal<string | null>(null);
  const create = useAttempt(async (key: string, input: Chosen, notes: string, patient: string | null) => {
    const json = {
      doctor_id: input.doctor,
      session_id: input.session,
      schedule_date: input.date,
      schedule_time: `${input.time}:00`,
      notes,
      ...(patient !== null && { patient_id: patient }),
    };
    const sent = api.v1.bookings.$post(
      { json, header: { 'Idempotency-Key': key } },
      { headers: holdHeader() },
    );
    const { data } = await take(sent);
    forgetHold();
    made.value = data.id;
  });
  const run = async () => {
    if (!(await create.run(chosen, note.peek().trim(), forWhom.peek()))) return;
    sayOnNext(words.value.booked(family.nameOf(forWhom.peek())));
    forgetTyped();
    void refreshBookings();
    route(`/pasien/tiket/${made.value}`, true);
  };
  const failure = create.failure.value;
  const isEnsuring = useEnsured(failure, () => void run());
  const family = useFamilyFirst(() => void run());
  // A request in progress is repeated exactly as it was sent: with another note it would be another booking.
  const isOnItsWay = create.busy.value || isEnsuring || family.isPressed;
  useChosenTime(chosen, create.clear, shown);
  const sessions = useSessions().data ?? [];
  const isAutomatic = sessions.find(({ id }) => id === chosen.session)?.approval === 'automatic';
  const limits = useLimits(chosen, forWhom.value);
  // Who has just logged in to a slot that is held books it with one more press.
  const sent = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (held.peek() !== null) sent.current?.querySelector('button')?.focus();
  }, []);
  return (
    <form
      class={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        family.press();
      }}
    >
      <ForWhom chosen={forWhom} isFixed={isOnItsWay} />
      <TextArea
        label={w.note}
        optional
        hint={w.noteHint}
        maxLength={maxNote}
        counter={w.noteLeft(note.value.length)}
        readOnly={isOnItsWay}
        value={note.value}
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      {isEnsuring ? (
        <Banner kind="warning" role="alert">
          {w.ensuring}
        </Banner>
      ) : failure instanceof Refused && Conflict.knows(failure) ? (
        <Conflict failure={failure} doctor={chosen.doctor} session={chosen.session} date={chosen.date} />
      ) : (
        <FormFailure failure={failure} labels={{ notes: w.note }} />
      )}
      <div class={style.send} ref={sent}>
        {limits.reason && failure === null && (
          <Banner kind="warning" role="status">
            {common.value.closed[limits.reason]}
          </Banner>
        )}
        <p class={form.small} role="status">
          {!limits.reason &&
            (isAutomatic
              ? limits.awaitsApproval
                ? w.waitsSinceMissed
                : w.approvedAtOnce
              : w.waitsForApproval)}
        </p>
        <SendButton look="primary" type="submit" wide busy={isOnItsWay} why={family.why}>
          {create.busy.value ? w.booking : w.book}
        </SendButton>
      </div>
    </form>
  );
};

const TimeChosen = ({ chosen, times }: { chosen: Chosen; times: string }) => {
  const w = words.value;
  const { doctor: dokter, session: layanan, date: tanggal, time: jam } = chosen;
  const sessions = useSessions().data ?? [];
  const name = sessions.find(({ id }) => id === layanan)?.name;
  const shown = useRef<HTMLParagraphElement>(null);
  const { mine, again } = useHold(chosen);
  const codes = useCodes();
  return (
    <>
      <section class={form.card} aria-label={w.time}>
        <DoctorHead id={dokter} more={name ?? ''} />
        <div class={style.when}>
          <p tabIndex={-1} ref={shown}>
            <strong class={style.day}>{nearDate(tanggal, today())}</strong>
            <strong class={`${style.hour} tnum`}>
              {clockTime(jam)} {zoneName(`${tanggal}T12:00:00Z`)}
            </strong>
          </p>
          <a class={form.link} href={times}>
            {w.changeTime}
          </a>
        </div>
      </section>
      {mine !== null && <HoldNote until={mine.until} again={again} />}
      {refusal.value !== null ? (
        <Conflict failure={refusal.value} doctor={dokter} session={layanan} date={tanggal} />
      ) : (
        <NeedsLogin say={codes.any ? w.codeHere(codes) : w.loginHere}>
          <Booking chosen={chosen} shown={shown} />
        </NeedsLogin>
      )}
    </>
  );
};

const Confirm = () => {
  const w = words.value;
  const { query } = useLocation();
  const { dokter = '', layanan = '', tanggal = '', jam = '' } = understood(query);
  const times = `/pasien/dokter/${dokter}?${new URLSearchParams({ layanan, tanggal })}`;
  return (
    <Screen title={w.confirm} back={times}>
      {tanggal === '' || !/^\d\d:\d\d$/.test(jam) ? (
        <Empty action={<ButtonLink href={times}>{w.otherTimes}</ButtonLink>}>{w.notFound}</Empty>
      ) : (
        <TimeChosen chosen={{ doctor: dokter, session: layanan, date: tanggal, time: jam }} times={times} />
      )}
    </Screen>
  );
};

export default Confirm;
