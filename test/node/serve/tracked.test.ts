import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { expect, it, onTestFinished } from 'vitest';
import { type Tracked, trackRequests } from '../../../src/runtime/node/serve/tracked.ts';

interface Under {
  tracked: Tracked;
  /** Sends a request, and returns control functions once it is being processed. */
  ask: () => Promise<{ finish: () => void; answer: Promise<IncomingMessage> }>;
}

const startServer = async (): Promise<Under> => {
  let began: (finish: () => void) => void = () => {};
  const tracked = trackRequests();
  const fetch = tracked.tracking(() => new Promise((resolve) => began(() => resolve(new Response('done')))));
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask: Under['ask'] = async () => {
    const working = new Promise<() => void>((resolve) => {
      began = resolve;
    });
    const request = get({ port, host: '127.0.0.1', agent });
    const answer = once(request, 'response').then(async ([given]) => {
      const response = given as IncomingMessage;
      response.resume();
      await once(response, 'end');
      return response;
    });
    return { finish: await working, answer };
  };
  return { tracked, ask };
};

it('an answer is under way until it is sent, also on a connection that answered before', async () => {
  const { tracked, ask } = await startServer();
  for (let times = 0; times < 2; times++) {
    const { finish, answer } = await ask();
    expect(tracked.isAnswering()).toBe(true);
    finish();
    await answer;
    expect(tracked.isAnswering()).toBe(false);
  }
});

it('is idle once nothing is worked on', async () => {
  const { tracked, ask } = await startServer();
  await tracked.idle();
  const { finish, answer } = await ask();
  let isIdle = false;
  const idle = tracked.idle().then(() => {
    isIdle = true;
  });
  await Promise.resolve();
  expect(isIdle).toBe(false);
  finish();
  await Promise.all([idle, answer]);
});

it('the last answer of a connection ends it, asked for before or after the stop', async () => {
  const { tracked, ask } = await startServer();
  const first = await ask();
  first.finish();
  expect((await first.answer).headers.connection).toBe('keep-alive');
  const second = await ask();
  tracked.endConnections();
  second.finish();
  expect((await second.answer).headers.connection).toBe('close');
  const third = await ask();
  third.finish();
  expect((await third.answer).headers.connection).toBe('close');
});
