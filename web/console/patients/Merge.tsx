import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Check, Field } from '../../shared/ui/Field.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { shortDate } from '../ui/when.ts';
import type { Chosen } from '../walk-in/chosen.ts';
import { describePatient } from '../walk-in/Patient.tsx';
import { SearchFailure, useFound } from '../walk-in/Search.tsx';
import { desk } from '../words/desk.ts';

type Patient = Schemas['PatientDetail'];
type RecordField = keyof typeof desk.value.people.fields;

interface Accounts {
  taken: (keyof typeof desk.value.people.waysIn)[];
  email: string | null;
  login_phone: string | null;
  birth_dates: 'same' | 'different' | 'unknown';
}

interface Trial {
  bookings: number;
  relations: number;
  taken: RecordField[];
  differing: RecordField[];
  /** How the accounts of both become one; null where this record has none. */
  accounts: Accounts | null;
}

/** What becomes of the accounts, and whether the desk has looked at the person. */
const Joined = ({ of, seen }: { of: Accounts; seen: Signal<boolean> }) => {
  const text = desk.value.people;
  return (
    <>
      <p>{text.joinEnds}</p>
      {of.taken.length > 0 && (
        <p>{text.joinTaken(of.taken.map((way) => `${text.waysIn[way]} ${of[way]}`).join(', '))}</p>
      )}
      {of.birth_dates !== 'same' && (
        <p>
          <b>{text.joinBirthDates[of.birth_dates]}</b>
        </p>
      )}
      <Check
        label={text.joinSeen}
        checked={seen.value}
        onChange={(event) => (seen.value = event.currentTarget.checked)}
      />
    </>
  );
};

/** Merges a record into another one: first what would happen, then, in a dialog, for good. */
export const Merge = ({ patient }: { patient: Patient }) => {
  const text = desk.value.people;
  const { route } = useLocation();
  const typed = useSignal('');
  const into = useSignal<Chosen | null>(null);
  const trial = useSignal<Trial | null>(null);
  const isAsking = useSignal(false);
  const isSeen = useSignal(false);
  // The list disappears: the focus continues from here, not from the top of the page.
  const chosen = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => chosen.current?.focus(), [into.value?.id]);
  const input = useRef<HTMLInputElement>(null);
  const search = useFound(into.value === null ? typed.value : '');
  const found = search.found?.filter((one) => one.id !== patient.id);
  const merge = async (key: string, to: string, more: object) =>
    (
      await take(
        api.v1.patients[':id'].merge.$post({
          param: { id: patient.id },
          json: { into: to, ...more },
          header: { 'Idempotency-Key': key },
        }),
      )
    ).data;
  const tryIt = useAttempt(async (key, to: string) => {
    trial.value = null;
    isSeen.value = false;
    trial.value = await merge(key, to, { dry_run: true });
  });
  const accounts = trial.value?.accounts ?? null;
  const doIt = async (key: string, to: string): Promise<void> => {
    const joins = accounts === null ? {} : { join_accounts: true, confirm: accounts.birth_dates !== 'same' };
    await confirmedly(() => merge(key, to, joins));
    queries.removeQueries({ queryKey: ['cari-pasien'] });
    await queries.invalidateQueries({ queryKey: ['pasien-janji'] });
    route(`/konsol/pasien/${to}`);
  };
  const failure = tryIt.failure.value;
  const conflict = failure instanceof Refused ? failure.as('merge_conflict') : null;
  const named = (names: readonly RecordField[]): string => names.map((name) => text.fields[name]).join(', ');
  return (
    <details>
      <summary class={look.summary}>{text.merge}</summary>
      <div class={look.form}>
        <p class={look.soft}>{text.mergeText}</p>
        {patient.has_account && <p class={look.soft}>{text.joinText}</p>}
        {into.value === null ? (
          <>
            <Field
              label={text.mergeFind}
              type="search"
              autocomplete="off"
              inputRef={input}
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
            <SearchFailure of={search} field={input} />
            <p class={look.soft} role="status">
              {found?.length === 0 ? text.empty : ''}
            </p>
            <ul class={look.list}>
              {found?.map((one) => (
                <li key={one.id}>
                  <Button
                    small
                    wide
                    onClick={() => {
                      into.value = one;
                      trial.value = null;
                      void tryIt.run(one.id);
                    }}
                  >
                    {[one.name, describePatient(one)].filter(Boolean).join(' · ')}
                  </Button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p tabIndex={-1} ref={chosen}>
              {patient.name} → <b>{into.value.name}</b>
            </p>
            <p class={look.soft}>{describePatient(into.value)}</p>
            <FormFailure failure={failure} />
            {conflict !== null && (
              <>
                <p>{text.mergeConflict}</p>
                <ul class={look.list}>
                  {conflict.conflicts.map(({ source }) => (
                    <li key={source.id}>
                      <a href={`/konsol/pindah/${source.id}`}>
                        {shortDate(source.schedule_date, today())} {clockTime(source.schedule_time)} ·{' '}
                        {source.doctor_name}
                      </a>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {trial.value !== null && (
              <div role="status">
                <p>{text.mergeResult(trial.value.bookings, trial.value.relations)}</p>
                {trial.value.taken.length > 0 && <p>{text.mergeTaken(named(trial.value.taken))}</p>}
                {trial.value.differing.length > 0 && (
                  <p>{text.mergeDiffering(named(trial.value.differing))}</p>
                )}
              </div>
            )}
            {accounts !== null && <Joined of={accounts} seen={isSeen} />}
            <div class={look.line}>
              <Button small onClick={() => (into.value = null)}>
                {common.value.cancel}
              </Button>
              {trial.value !== null && (
                <Button
                  small
                  look="danger"
                  why={whyNot() ?? (accounts !== null && !isSeen.value && text.joinSeenFirst)}
                  onClick={() => (isAsking.value = true)}
                >
                  {text.merge}
                </Button>
              )}
            </div>
          </>
        )}
        {isAsking.value && into.value !== null && (
          <Confirm
            title={`${patient.name} → ${into.value.name}`}
            text={accounts === null ? text.mergeFinal : `${text.joinEnds} ${text.mergeFinal}`}
            verb={text.mergeDo}
            work={(key) => doIt(key, into.value?.id ?? '')}
            onClose={() => (isAsking.value = false)}
          />
        )}
      </div>
    </details>
  );
};
