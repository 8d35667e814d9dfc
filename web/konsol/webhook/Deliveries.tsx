import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { ReadFailure, Sentence, Skeleton } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/atur.ts';

type Delivery = Schemas['WebhookDelivery'];
const states = ['pending', 'delivered', 'given_up'] as const;

const reasonOf = ({ response_status, error, attempts }: Delivery): string => {
  const text = setup.value.webhooks;
  return [
    response_status !== null && text.answered(response_status),
    error !== null && text.errors[error],
    text.attempts(attempts),
  ]
    .filter(Boolean)
    .join(' · ');
};

/** What was sent to a receiver, newest first, and sending it again. */
export const Deliveries = ({ id }: { id: string }) => {
  const text = setup.value.webhooks;
  const state = useSignal<(typeof states)[number] | null>(null);
  const again = useSignal<string | null>(null);
  const list = useRead({
    queryKey: ['webhook', id, 'kiriman', state.value],
    queryFn: async () =>
      (
        await take(
          api.v1.admin.webhooks[':id'].deliveries.$get({
            param: { id },
            query: { limit: 50, ...(state.value !== null && { status: state.value }) },
          }),
        )
      ).data,
    refetchInterval: 10_000,
  }).value;
  const replay = useAttempt(async (_key, delivery_id: string) => {
    await take(
      api.v1.admin.webhooks[':id'].deliveries[':delivery_id'].replay.$post({
        param: { id, delivery_id },
      }),
    );
    again.value = delivery_id;
    await queries.invalidateQueries({ queryKey: ['webhook', id] });
  });
  return (
    <>
      <Select
        label={text.columns.state}
        value={state.value ?? ''}
        onChange={(event) => (state.value = states.find((one) => one === event.currentTarget.value) ?? null)}
      >
        <option value="">{text.allStates}</option>
        {states.map((one) => (
          <option key={one} value={one}>
            {text.states[one]}
          </option>
        ))}
      </Select>
      {replay.failure.value !== null && (
        <p role="alert">
          <Sentence failure={replay.failure.value} />
        </p>
      )}
      <span role="status">{again.value === null ? '' : text.replayed}</span>
      {list.data === undefined ? (
        list.error === null ? (
          <Skeleton rows={3} height={32} />
        ) : (
          <ReadFailure failure={list.error} again={list.refetch} />
        )
      ) : list.data.length === 0 ? (
        <p>{text.noDeliveries}</p>
      ) : (
        <table class={look.table}>
          <caption>{text.deliveries}</caption>
          <thead>
            <tr>
              {(['time', 'type', 'state', 'reason', 'action'] as const).map((name) => (
                <th key={name} scope="col">
                  {text.columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.data.map((one) => (
              <tr key={one.id}>
                <td class="tnum">
                  {shortDate(dateOf(one.occurred_at), today())} {timeOf(one.occurred_at)}
                </td>
                <td>{one.type}</td>
                <td>{text.states[one.status]}</td>
                <td>{reasonOf(one)}</td>
                <td>
                  <Button
                    small
                    busy={replay.busy.value}
                    aria-label={`${text.replay}: ${one.type} ${timeOf(one.occurred_at)}`}
                    onClick={() => void replay.run(one.id)}
                  >
                    {text.replay}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};
