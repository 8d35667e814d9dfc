import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Banner, ReadFailure, Sentence, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { fullName } from '../data/catalog.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { confirmedly } from '../shell/reauth.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/atur.ts';
import { roles } from './Orang.tsx';
import { Setup } from './Setup.tsx';

interface Props {
  person: Schemas['Person'];
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
}

const param = ({ id }: { id: string }) => ({ param: { id } });

const Devices = ({ person }: { person: Schemas['Person'] }) => {
  const text = setup.value.people;
  const devices = useRead({
    queryKey: ['orang', 'perangkat', person.id],
    queryFn: async () =>
      (await take(api.v1.admin.people[':id'].devices.$get({ ...param(person), query: { limit: 20 } }))).data,
  }).value;
  const ended = useSignal<number | null>(null);
  const end = useAttempt(async () => {
    const { data } = await confirmedly(() => take(api.v1.admin.people[':id'].devices.$delete(param(person))));
    ended.value = data.ended;
    await queries.invalidateQueries({ queryKey: ['orang', 'perangkat', person.id] });
  });
  return (
    <section class={look.form}>
      <h3>{text.devices}</h3>
      {devices.data === undefined ? (
        devices.error === null ? (
          <Skeleton rows={2} height={24} />
        ) : (
          <ReadFailure failure={devices.error} again={devices.refetch} />
        )
      ) : devices.data.length === 0 ? (
        <p class={look.soft}>{text.noDevices}</p>
      ) : (
        <>
          <ul class={look.list}>
            {devices.data.map((one) => (
              <li key={one.id} class={look.soft}>
                {one.user_agent.slice(0, 60) || one.device_id || '–'} ·{' '}
                {text.lastSeen(`${shortDate(dateOf(one.last_seen_at), today())} ${timeOf(one.last_seen_at)}`)}
              </li>
            ))}
          </ul>
          <div>
            <Button small busy={end.busy.value} onClick={() => void end.run()}>
              {text.endDevices}
            </Button>
          </div>
        </>
      )}
      {end.failure.value !== null && (
        <p role="alert">
          <Sentence failure={end.failure.value} />
        </p>
      )}
      <span role="status">{ended.value === null ? '' : text.ended(ended.value)}</span>
    </section>
  );
};

/** One person: role, account, devices. */
export const PersonPanel = ({ person, doctors, onClose }: Props) => {
  const text = setup.value.people;
  const role = useSignal(person.role);
  const doctor = useSignal(person.doctor_id ?? doctors[0]?.id ?? '');
  const made = useSignal<Schemas['PasswordSetup'] | null>(null);
  const isSaved = useSignal(false);
  const isShutting = useSignal(false);
  const renew = () => queries.invalidateQueries({ queryKey: ['orang'] });
  const attempt = useAttempt(async () => {
    const { meta } = await confirmedly(() =>
      take(
        api.v1.admin.people[':id'].$patch({
          ...param(person),
          json: { role: role.peek(), ...(role.peek() === 'doctor' && { doctor_id: doctor.peek() }) },
        }),
      ),
    );
    made.value = meta.password_setup;
    isSaved.value = true;
    await renew();
  });
  const open = useAttempt(async () => {
    await confirmedly(() => take(api.v1.admin.people[':id'].reactivate.$post(param(person))));
    await renew();
  });
  const failure = attempt.failure.value;
  const isLast = failure instanceof Refused && failure.code === 'last_admin';
  const why = online.value ? null : common.value.offlineAction;
  return (
    <>
      <EditPanel
        title={person.name}
        attempt={attempt}
        labels={{ role: text.roleOf, doctor_id: text.linked }}
        onClose={onClose}
        more={
          <>
            <span role="status">{isSaved.value ? setup.value.saved : ''}</span>
            <Setup setup={made.value} />
            <Devices person={person} />
            {open.failure.value !== null && (
              <p role="alert">
                <Sentence failure={open.failure.value} />
              </p>
            )}
            <div>
              {person.active ? (
                <Button small look="danger" why={why} onClick={() => (isShutting.value = true)}>
                  {text.deactivate}
                </Button>
              ) : (
                <Button small busy={open.busy.value} why={why} onClick={() => void open.run()}>
                  {text.reactivate}
                </Button>
              )}
            </div>
          </>
        }
      >
        <p class={look.soft}>{person.email}</p>
        {isLast && <Banner kind="warning">{text.lastAdmin}</Banner>}
        <Select
          label={text.roleOf}
          value={role.value}
          errors={fieldsOf(attempt).role}
          onChange={(event) => {
            role.value = roles.find((one) => one === event.currentTarget.value) ?? person.role;
            isSaved.value = false;
          }}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {text.roles[one]}
            </option>
          ))}
        </Select>
        {role.value === 'doctor' && (
          <Select
            label={text.linked}
            value={doctor.value}
            errors={fieldsOf(attempt).doctor_id}
            onChange={(event) => (doctor.value = event.currentTarget.value)}
          >
            {doctors.map((one) => (
              <option key={one.id} value={one.id}>
                {fullName(one)}
              </option>
            ))}
          </Select>
        )}
      </EditPanel>
      {isShutting.value && (
        <Confirm
          title={text.askDeactivate(person.name)}
          text={text.askDeactivateText}
          verb={text.deactivate}
          work={async () => {
            await confirmedly(() => take(api.v1.admin.people[':id'].deactivate.$post(param(person))));
            await renew();
          }}
          onClose={() => (isShutting.value = false)}
        />
      )}
    </>
  );
};
