import { waitUntil } from 'cloudflare:workers';
import type { Deps } from '../../core/deps.ts';
import { errorName, type Logger } from '../../core/log.ts';
import { deliverWebhooks, workerLimits } from '../../modules/webhooks/delivery/deliver.ts';
import { createWake } from '../../modules/webhooks/delivery/wake.ts';

/** Lets work continue after the answer, and logs failed work by its name. */
export const afterAnswers =
  (log: Logger, goOn: (work: Promise<unknown>) => void = waitUntil): Deps['background'] =>
  (work) =>
    goOn(work.catch((error: unknown) => log.error('background', { cause: errorName(error) })));

/** Changes of so short a time are delivered by one run. */
const wakeAfterMs = 100;

/** Delivers webhooks soon after a change, in an extension of the request that made it. */
export const wakeDeliverer = (depsOf: () => Deps): Deps['eventsWritten'] => {
  const deliverSoon = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, wakeAfterMs));
    await deliverWebhooks(depsOf(), workerLimits);
  };
  return createWake(Date.now, wakeAfterMs, () => depsOf().background(deliverSoon()));
};

/** Waits so long; a client that has gone away ends the invocation by itself. */
export const pause: Deps['awaitEvents'] = (ms) =>
  new Promise((resolve) => setTimeout(() => resolve(true), ms));
