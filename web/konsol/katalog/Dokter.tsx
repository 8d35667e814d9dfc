import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Banner, Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { fullName, setupChanged, useAllDoctors } from '../data/catalog.ts';
import { isAdmin } from '../data/clinic.ts';
import { Page } from '../shell/Page.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';

type Doctor = Schemas['AdminDoctor'];

const Edit = ({ doctor, onClose }: { doctor: Doctor | null; onClose: () => void }) => {
  const text = setup.value.doctors;
  const value = useSignal({
    title: doctor?.title ?? '',
    name: doctor?.name ?? '',
    specialty: doctor?.specialty ?? '',
  });
  const attempt = useAttempt(async () => {
    if (doctor === null) await take(api.v1.admin.doctors.$post({ json: value.peek() }));
    else
      await take(
        api.v1.admin.doctors[':id'].$patch({
          param: { id: doctor.id },
          json: { ...value.peek(), version: doctor.version },
        }),
      );
    await setupChanged();
    onClose();
  });
  const labels = { title: text.titleBefore, name: text.name, specialty: text.specialty };
  const bind = (name: keyof typeof labels) => ({
    label: labels[name],
    value: value.value[name],
    errors: fieldsOf(attempt)[name],
    onInput: (event: { currentTarget: { value: string } }) =>
      (value.value = { ...value.value, [name]: event.currentTarget.value }),
  });
  return (
    <EditPanel
      title={doctor === null ? text.add : setup.value.change(fullName(doctor))}
      attempt={attempt}
      labels={labels}
      onClose={onClose}
    >
      <Field {...bind('title')} optional />
      <Field {...bind('name')} required />
      <Field {...bind('specialty')} optional />
    </EditPanel>
  );
};

/** The doctors of the clinic; who is retired is folded away. */
const Dokter = () => {
  const doctors = useAllDoctors().value;
  const editing = useSignal<Doctor | 'new' | null>(null);
  const retiring = useSignal<Doctor | null>(null);
  const affected = useSignal<number | null>(null);
  const text = setup.value;
  const setActive = async (doctor: Doctor, active: boolean): Promise<void> => {
    const { meta } = await take(
      api.v1.admin.doctors[':id'].$patch({
        param: { id: doctor.id },
        json: { active, version: doctor.version },
      }),
    );
    affected.value = meta.affected_total;
    await setupChanged();
  };
  const reinstate = useAttempt((_key, doctor: Doctor) => setActive(doctor, true));
  const row = (doctor: Doctor) => (
    <tr key={doctor.id}>
      <th scope="row">{fullName(doctor)}</th>
      <td>{doctor.specialty}</td>
      <td>
        <div class={look.line}>
          {isAdmin() && (
            <ButtonLink small look="quiet" href={`/konsol/jadwal?dokter=${doctor.id}`}>
              {text.doctors.schedule}
            </ButtonLink>
          )}
          {isAdmin() && doctor.active && (
            <>
              <Button
                small
                aria-label={text.change(fullName(doctor))}
                onClick={() => (editing.value = doctor)}
              >
                {words.value.edit}
              </Button>
              <Button
                small
                look="danger"
                aria-label={`${text.retire}: ${fullName(doctor)}`}
                onClick={() => (retiring.value = doctor)}
              >
                {text.retire}
              </Button>
            </>
          )}
          {isAdmin() && !doctor.active && (
            <Button
              small
              busy={reinstate.busy.value}
              aria-label={`${text.reinstate}: ${fullName(doctor)}`}
              onClick={() => void reinstate.run(doctor)}
            >
              {text.reinstate}
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
  const active = doctors.data?.filter((one) => one.active) ?? [];
  const retired = doctors.data?.filter((one) => !one.active) ?? [];
  const chosen = editing.value;
  const head = (
    <thead>
      <tr>
        <th scope="col">{text.doctors.name}</th>
        <th scope="col">{text.doctors.specialty}</th>
        <th scope="col">{words.value.day.columns.action}</th>
      </tr>
    </thead>
  );
  return (
    <Page
      title={words.value.nav.dokter}
      beside={
        isAdmin() && (
          <Button small icon={Plus} onClick={() => (editing.value = 'new')}>
            {text.doctors.add}
          </Button>
        )
      }
      aside={
        chosen === null ? undefined : (
          <Edit
            key={chosen === 'new' ? 'new' : `${chosen.id}`}
            doctor={chosen === 'new' ? null : (doctors.data?.find((one) => one.id === chosen.id) ?? chosen)}
            onClose={() => (editing.value = null)}
          />
        )
      }
    >
      <Freshness at={doctors.dataUpdatedAt || undefined} />
      <div class={look.body}>
        {!isAdmin() && <p class={look.soft}>{text.readOnly}</p>}
        {affected.value !== null && affected.value > 0 && (
          <Banner role="status">{text.affected(affected.value)}</Banner>
        )}
        {reinstate.failure.value !== null && (
          <ReadFailure failure={reinstate.failure.value} again={doctors.refetch} />
        )}
        {doctors.data === undefined ? (
          doctors.error === null ? (
            <Skeleton rows={4} height={44} />
          ) : (
            <ReadFailure failure={doctors.error} again={doctors.refetch} />
          )
        ) : active.length === 0 ? (
          <Empty>{text.doctors.empty}</Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{words.value.nav.dokter}</caption>
            {head}
            <tbody>{active.map(row)}</tbody>
          </table>
        )}
        {retired.length > 0 && (
          <details>
            <summary class={look.summary}>{text.retired(retired.length)}</summary>
            <table class={look.table}>
              <caption class="aloud">{text.retired(retired.length)}</caption>
              {head}
              <tbody>{retired.map(row)}</tbody>
            </table>
          </details>
        )}
      </div>
      {retiring.value !== null && (
        <Confirm
          title={text.doctors.ask(fullName(retiring.value))}
          text={text.doctors.askText}
          verb={text.retire}
          work={() => setActive(retiring.value as Doctor, false)}
          onClose={() => (retiring.value = null)}
        />
      )}
    </Page>
  );
};

export default Dokter;
