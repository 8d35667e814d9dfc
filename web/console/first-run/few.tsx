// The steps that show what the console has already.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { take } from '../../shared/api/take.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { SessionForm } from '../catalog/Sessions.tsx';
import { ClinicForm } from '../clinic/ClinicForm.tsx';
import { Holidays } from '../closures/Holidays.tsx';
import { useAllDoctors, useAllSessions } from '../data/catalog.ts';
import { useRead } from '../data/read.ts';
import { useMissing } from '../data/setup.ts';
import { MissingList } from '../missing/MissingList.tsx';
import { Invite } from '../people/Invite.tsx';
import { Shown } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { setup } from '../words/settings.ts';
import style from './FirstRun.module.css';

interface AddingProps {
  label: string;
  /** Whether the form is open from the beginning. */
  isOpen?: boolean;
  form: (onClose: () => void) => ComponentChildren;
}

/** A form of the console, and the button that opens it again. */
export const Adding = ({ label, isOpen = false, form }: AddingProps) => {
  const open = useSignal(isOpen);
  return open.value ? (
    <div class={style.panel}>{form(() => (open.value = false))}</div>
  ) : (
    <div>
      <Button onClick={() => (open.value = true)}>{label}</Button>
    </div>
  );
};

/** The entries added so far. */
export const Names = ({ of }: { of: readonly { id: string; text: ComponentChildren }[] }) =>
  of.length === 0 ? null : (
    <ul class={style.names}>
      {of.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );

export const ClinicStep = () => {
  const clinic = useRead({
    queryKey: ['atur', 'klinik'],
    queryFn: async () => (await take(api.v1.admin.clinic.$get())).data,
  }).value;
  return (
    <Shown of={clinic} height={90}>
      {(data) => <ClinicForm clinic={data} only="identity" />}
    </Shown>
  );
};

export const Sessions = () => {
  const text = setup.value.sessions;
  return (
    <Shown of={useAllSessions().value}>
      {(all) => {
        const active = all.filter((one) => one.active);
        return (
          <>
            <Names of={active.map(({ id, name }) => ({ id, text: name }))} />
            <Adding
              label={text.add}
              isOpen={active.length === 0}
              form={(onClose) => <SessionForm entry={null} onClose={onClose} />}
            />
          </>
        );
      }}
    </Shown>
  );
};

export const HolidaysStep = () => (
  <Adding label={setup.value.closures.holidays} isOpen form={(onClose) => <Holidays onClose={onClose} />} />
);

export const PeopleStep = () => {
  const text = setup.value.people;
  const doctors = useAllDoctors().value.data ?? [];
  const people = useRead({
    queryKey: ['orang', 'semua'],
    queryFn: () => readAll((page) => take(api.v1.admin.people.$get({ query: page }))),
  }).value;
  return (
    <Shown of={people}>
      {(all) => (
        <>
          <Names
            of={all
              .filter(({ role }) => role !== 'patient')
              .map(({ id, name, role, email }) => ({
                id,
                text: `${name} · ${text.roles[role]} · ${email}`,
              }))}
          />
          <Adding
            label={text.add}
            form={(onClose) => <Invite doctors={doctors.filter((one) => one.active)} onClose={onClose} />}
          />
        </>
      )}
    </Shown>
  );
};

export const Ready = () => {
  const text = beginning.value;
  return (
    <>
      <Shown of={useMissing().value}>{({ missing }) => <MissingList missing={missing} />}</Shown>
      <div class={style.ways}>
        <ButtonLink look="primary" href="/konsol/">
          {text.toConsole}
        </ButtonLink>
        <ButtonLink href="/pasien/">{text.ready.patients}</ButtonLink>
        <ButtonLink href="/layar/">{text.ready.screen}</ButtonLink>
      </div>
    </>
  );
};
