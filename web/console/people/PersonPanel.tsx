import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Refusal, Shown, whyNot } from '../ui/Shown.tsx';
import { shortDateWithin } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { type Role, RoleFields, roles } from './RoleFields.tsx';
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
      <Shown of={devices} rows={2} height={24} empty={<p class={look.soft}>{text.noDevices}</p>}>
        {(all) => (
          <>
            <ul class={look.list}>
              {all.map((one) => (
                <li key={one.id} class={look.soft}>
                  {one.user_agent.slice(0, 60) || one.device_id || '–'} ·{' '}
                  {text.lastSeen(
                    `${shortDateWithin(dateOf(one.last_seen_at), today())} ${timeOf(one.last_seen_at)}`,
                  )}
                </li>
              ))}
            </ul>
            <div>
              <Button small busy={end.busy.value} why={whyNot()} onClick={() => void end.run()}>
                {text.endDevices}
              </Button>
            </div>
          </>
        )}
      </Shown>
      <Refusal of={end} />
      <span role="status">{ended.value === null ? '' : text.ended(ended.value)}</span>
    </section>
  );
};

const Feeds = ({ person }: { person: Schemas['Person'] }) => {
  const text = setup.value.people;
  const queryKey = ['orang', 'kalender', person.id];
  const feeds = useRead({
    queryKey,
    queryFn: async () => (await take(api.v1.admin.people[':id']['calendar-feeds'].$get(param(person)))).data,
  }).value;
  const end = useAttempt(async (_key, feed_id: string) => {
    await take(
      api.v1.admin.people[':id']['calendar-feeds'][':feed_id'].$delete({ param: { id: person.id, feed_id } }),
    );
    await queries.invalidateQueries({ queryKey });
  });
  return (
    <section class={look.form}>
      <h3>{text.feeds}</h3>
      <Shown of={feeds} rows={1} height={24} empty={<p class={look.soft}>{text.noFeeds}</p>}>
        {(all) => (
          <ul class={look.list}>
            {all.map(({ id, created_at }) => {
              const since = text.feedSince(
                `${shortDateWithin(dateOf(created_at), today())} ${timeOf(created_at)}`,
              );
              return (
                <li key={id} class={look.soft}>
                  {since}{' '}
                  <Button
                    small
                    aria-label={`${text.endFeed}: ${since}`}
                    busy={end.busy.value}
                    why={whyNot()}
                    onClick={() => void end.run(id)}
                  >
                    {text.endFeed}
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
      </Shown>
      <Refusal of={end} />
    </section>
  );
};

/** One person: role, account, devices. */
export const PersonPanel = ({ person, doctors, onClose }: Props) => {
  const text = setup.value.people;
  const made = useSignal<Schemas['PasswordSetup'] | null>(null);
  const isSaved = useSignal(false);
  const isShutting = useSignal(false);
  const renew = () => queries.invalidateQueries({ queryKey: ['orang'] });
  const form = useForm(
    { role: person.role, doctor_id: person.doctor_id ?? doctors[0]?.id ?? '' },
    { role: text.roleOf, doctor_id: text.linked },
    async ({ role, doctor_id }) => {
      isSaved.value = false;
      const json = { role: role as Role, ...(role === 'doctor' && { doctor_id }) };
      const { meta } = await confirmedly(() =>
        take(api.v1.admin.people[':id'].$patch({ ...param(person), json })),
      );
      made.value = meta.password_setup;
      await renew();
      form.clear();
      isSaved.value = true;
    },
  );
  const open = useAttempt(async () => {
    await confirmedly(() => take(api.v1.admin.people[':id'].reactivate.$post(param(person))));
    await renew();
  });
  const failure = form.attempt.failure.value;
  const isLast = failure instanceof Refused && failure.code === 'last_admin';
  return (
    <>
      <EditPanel
        title={person.name}
        attempt={form.attempt}
        labels={form.labels}
        onClose={onClose}
        more={
          <>
            <span role="status">{isSaved.value && !form.isChanged ? setup.value.saved : ''}</span>
            <Setup setup={made.value} />
            <Devices person={person} />
            <Feeds person={person} />
            <Refusal of={open} />
            <div>
              {person.active ? (
                <Button small look="danger" why={whyNot()} onClick={() => (isShutting.value = true)}>
                  {text.deactivate}
                </Button>
              ) : (
                <Button small busy={open.busy.value} why={whyNot()} onClick={() => void open.run()}>
                  {text.reactivate}
                </Button>
              )}
            </div>
          </>
        }
      >
        <p class={look.soft}>{person.email}</p>
        {isLast && <Banner kind="warning">{text.lastAdmin}</Banner>}
        <RoleFields role={form.bind('role')} doctor={form.bind('doctor_id')} of={roles} doctors={doctors} />
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
