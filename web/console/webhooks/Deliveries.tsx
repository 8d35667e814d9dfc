import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { usePages } from '../data/pages.ts';
import look from '../ui/page.module.css';
import { Age, More, Refusal, Shown, whyNot } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { DeliveryContent } from './Exchange.tsx';

type Delivery = Schemas['WebhookDelivery'];
const states = ['pending', 'delivered', 'given_up'] as const;

const explainDelivery = ({ response_status, error, attempts }: Delivery): string => {
  const text = setup.value.webhooks;
  return [
    response_status !== null && text.answered(response_status),
    error !== null && text.errors[error],
    text.attempts(attempts),
  ]
    .filter(Boolean)
    .join(' · ');
};

const formatWhen = ({ occurred_at: at }: Delivery): string =>
  `${shortDate(dateOf(at), today())} ${timeOf(at)}`;

const everyMs = 10_000;

/** The deliveries to a receiver, newest first, and the action to send one again. */
export const Deliveries = ({ id }: { id: string }) => {
  const text = setup.value.webhooks;
  const state = useSignal<(typeof states)[number] | null>(null);
  const again = useSignal<string | null>(null);
  const seen = useSignal<Delivery | null>(null);
  const list = usePages(
    ['webhook', id, 'kiriman', state.value],
    (page) =>
      take(
        api.v1.admin.webhooks[':id'].deliveries.$get({
          param: { id },
          query: { ...page, limit: 20, ...(state.value !== null && { status: state.value }) },
        }),
      ),
    { refetchInterval: everyMs },
  );
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
      <div class={look.fields}>
        <Select
          label={text.columns.state}
          value={state.value ?? ''}
          onChange={(event) =>
            (state.value = states.find((one) => one === event.currentTarget.value) ?? null)
          }
        >
          <option value="">{text.allStates}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {text.states[one]}
            </option>
          ))}
        </Select>
      </div>
      <Refusal of={replay} />
      <span role="status">{again.value === null ? '' : text.replayed}</span>
      <Age of={list.read} everyMs={everyMs} />
      <Shown of={list.read} rows={3} height={32} empty={<p>{text.noDeliveries}</p>}>
        {(rows) => (
          <Table
            caption={text.deliveries}
            isCaptionShown
            rows={rows}
            columns={[
              { name: text.columns.time, isHead: true, cell: (one) => formatWhen(one) },
              { name: text.columns.type, cell: ({ type }) => type },
              { name: text.columns.state, cell: ({ status }) => text.states[status] },
              { name: text.columns.reason, cell: explainDelivery },
              {
                name: text.columns.action,
                look: 'actions',
                cell: (one) => (
                  <div class={look.line}>
                    <Button
                      small
                      aria-expanded={seen.value?.id === one.id}
                      aria-label={`${seen.value?.id === one.id ? text.hide : text.look}: ${one.type} ${formatWhen(one)}`}
                      onClick={() => (seen.value = seen.peek()?.id === one.id ? null : one)}
                    >
                      {seen.value?.id === one.id ? text.hide : text.look}
                    </Button>
                    <Button
                      small
                      busy={replay.busy.value}
                      why={whyNot()}
                      aria-label={`${text.replay}: ${one.type} ${formatWhen(one)}`}
                      onClick={() => void replay.run(one.id)}
                    >
                      {text.replay}
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Shown>
      <More of={list} />
      {seen.value !== null && (
        <section aria-label={`${seen.value.type} ${formatWhen(seen.value)}`}>
          <h3>
            {seen.value.type} · {formatWhen(seen.value)}
          </h3>
          <DeliveryContent key={seen.value.id} id={id} deliveryId={seen.value.id} />
        </section>
      )}
    </>
  );
};
