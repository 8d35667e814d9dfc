import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from '../data/bookings.ts';
import { useRead } from '../data/read.ts';
import { Shown } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import style from './Exchange.module.css';

/** A JSON text with its lines broken; any other text as it is. */
const broken = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A request to a receiver, and its answer. */
export const ExchangeTexts = ({ exchange }: { exchange: Schemas['WebhookExchange'] }) => {
  const text = setup.value.webhooks;
  const { sent, received } = exchange;
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    [text.sent, [`POST ${sent.url}`, ...headers, '', broken(sent.body)].join('\n')],
    [
      text.received,
      received === null ? text.noAnswer : [`HTTP ${received.status}`, broken(received.body)].join('\n'),
    ],
  ] as const;
  return (
    <>
      {parts.map(([title, content]) => (
        <section key={title}>
          <h3>{title}</h3>
          <pre class={style.text}>{content}</pre>
        </section>
      ))}
    </>
  );
};

/** The content of a delivery, read when it is opened. */
export const DeliveryContent = ({ id, deliveryId }: { id: string; deliveryId: string }) => {
  const read = useRead({
    queryKey: ['webhook', id, 'isi', deliveryId],
    queryFn: async () =>
      (
        await take(
          api.v1.admin.webhooks[':id'].deliveries[':delivery_id'].$get({
            param: { id, delivery_id: deliveryId },
          }),
        )
      ).data,
  }).value;
  return (
    <Shown of={read} rows={3} height={32}>
      {({ exchange }) =>
        exchange === null ? <p>{setup.value.webhooks.noExchange}</p> : <ExchangeTexts exchange={exchange} />
      }
    </Shown>
  );
};
