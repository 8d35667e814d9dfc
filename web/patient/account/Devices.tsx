import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, nearDateWithin, timeOf } from '../../shared/time.ts';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Freshness, Pending } from '../../shared/ui/States.tsx';
import { today } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said, toHeadingIfLost } from '../screen.tsx';
import { words } from '../words.ts';

const readDevices = async () => (await take(api.v1.auth.devices.$get({ query: { limit: 100 } }))).data;

const List = () => {
  const w = words.value;
  const { data, error, refetch, dataUpdatedAt, isError } = useResource({
    queryKey: ['devices'],
    queryFn: readDevices,
  }).value;
  const reread = () => queries.invalidateQueries({ queryKey: ['devices'] });
  const end = useAttempt(async (_key, id: string) => {
    await take(api.v1.auth.devices[':id'].$delete({ param: { id } }));
    await reread();
    toHeadingIfLost();
  });
  const endOthers = useAttempt(async () => {
    await take(api.v1.auth.devices.$delete({}));
    said.value = words.value.endedOthers;
    await reread();
    toHeadingIfLost();
  });
  if (data === undefined) return <Pending rows={3} height={96} error={error} again={refetch} />;
  return (
    <>
      <Freshness at={dataUpdatedAt} isStale={isError} />
      <FormFailure failure={end.failure.value ?? endOthers.failure.value} />
      <ul class={form.list}>
        {data.map(({ id, device_id, user_agent, last_seen_at, current }) => (
          <li key={id} class={form.item}>
            <p class={form.strong}>
              {device_id || user_agent || w.unknownDevice}{' '}
              {current && <span class={form.small}>({w.thisDevice})</span>}
            </p>
            <p class={form.small}>
              {w.lastSeen(`${nearDateWithin(dateOf(last_seen_at), today())}, ${timeOf(last_seen_at)}`)}
            </p>
            {!current && (
              <div>
                <SendButton
                  small
                  aria-label={`${w.endDevice}: ${device_id || user_agent || w.unknownDevice}`}
                  busy={end.busy.value}
                  onClick={() => void end.run(id)}
                >
                  {w.endDevice}
                </SendButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {data.length > 1 && (
        <SendButton look="danger" wide busy={endOthers.busy.value} onClick={() => void endOthers.run()}>
          {w.endOthers}
        </SendButton>
      )}
    </>
  );
};

export const DevicesPage = () => (
  <Screen title={words.value.devices} back="/pasien/akun">
    <NeedsLogin>
      <List />
    </NeedsLogin>
  </Screen>
);
