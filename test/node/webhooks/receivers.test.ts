import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { webhookSender } from '../../../src/runtime/node/webhooks/webhook-sender.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createEndpoint, verifyMessage } from '../../support/receiver.ts';
import { createWorld, type World } from '../../support/world.ts';

const minute = 60_000;
/** For a receiver that hangs, which is all that this time is waited for. */
const patienceMs = 150;
const waitAsUsual = () => {
  world.deps.sendWebhook = webhookSender(true);
};

let world: World;
let practice: Awaited<ReturnType<typeof createPractice>>;
beforeEach(async () => {
  world = await createWorld({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  waitAsUsual();
  practice = await createPractice(world, { capacity: 20 });
});

const bookAndCancel = async (): Promise<string> => {
  const { token } = await createPerson(world);
  const body = bookingInput(practice, { schedule_date: '2026-12-01' });
  const { id } = (await world.request('/v1/bookings', { token, body })).body.data;
  await world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token });
  return id;
};
const pass = async (minutes: number) => {
  for (let passed = 0; passed < minutes; passed += 5) {
    world.clock.now += 5 * minute;
    await deliverWebhooks(world.deps);
  }
};

const isVerified = (secret: string, body: string, headers: Record<string, string>): boolean => {
  try {
    verifyMessage(secret, world.clock.now, body, headers);
    return true;
  } catch {
    return false;
  }
};

const works = (response: ServerResponse): unknown => response.writeHead(204).end();

/** A receiver on its own port that answers as configured, and checks each message. */
const startReceiver = async () => {
  const state = { secret: '', answer: works, isWeak: false };
  const refused = new Set<string>();
  const taken: { bookingId: string; event: [version: number, isSigned: boolean] }[] = [];
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    let body = '';
    for await (const chunk of request) body += chunk;
    if (state.answer === works) {
      const headers = request.headers as Record<string, string>;
      const { data } = JSON.parse(body);
      const isSigned = isVerified(state.secret, body, headers);
      // Not yet quite well: of each booking it refuses the first event once, and the next must wait for that.
      if (state.isWeak && data.version === 1 && !refused.has(data.booking_id)) {
        refused.add(data.booking_id);
        return response.writeHead(500).end();
      }
      taken.push({ bookingId: data.booking_id, event: [data.version, isSigned] });
    }
    state.answer(response);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const port = await listen(0);
  onTestFinished(() => {
    if (server.listening) return close();
  });
  return {
    state,
    taken,
    asked: () => asked,
    url: `http://127.0.0.1:${port}/`,
    close,
    reopen: () => listen(port),
  };
};
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const answering = (answer: Receiver['state']['answer']) => async (receiver: Receiver) => {
  receiver.state.answer = answer;
};
const failures: [string, (receiver: Receiver) => Promise<void>][] = [
  ['answers 500', answering((response) => response.writeHead(500).end())],
  [
    'hangs',
    async (receiver) => {
      world.deps.sendWebhook = webhookSender(true, patienceMs);
      receiver.state.answer = () => {};
    },
  ],
  ['closes early', answering((response) => response.destroy())],
  ['is down', (receiver) => receiver.close()],
];

it.each(failures)(
  'a receiver that %s for an hour gets every event once it is back, in order per booking, each signed',
  async (how, fail) => {
    const receiver = await startReceiver();
    const endpoint = await createEndpoint(world, { url: receiver.url });
    receiver.state.secret = endpoint.secret;
    const bookings = [await bookAndCancel()];
    await deliverWebhooks(world.deps);
    expect(receiver.taken).toHaveLength(2);
    await fail(receiver);
    for (let tens = 0; tens < 6; tens++) {
      bookings.push(await bookAndCancel());
      await pass(10);
    }
    expect(receiver.taken).toHaveLength(2);
    if (how === 'is down') await receiver.reopen();
    else expect(receiver.asked()).toBeGreaterThan(8);
    waitAsUsual();
    receiver.state.answer = works;
    receiver.state.isWeak = true;
    await pass(120);
    const takenByBooking = Map.groupBy(receiver.taken, ({ bookingId }) => bookingId);
    const inOrder = [
      [1, true],
      [2, true],
    ];
    expect(
      Object.fromEntries([...takenByBooking].map(([id, taken]) => [id, taken.map((each) => each.event)])),
    ).toEqual(Object.fromEntries(bookings.map((id) => [id, inOrder])));
  },
);
