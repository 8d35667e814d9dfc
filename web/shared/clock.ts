import { signal } from '@preact/signals';

/** The service's time when this page's own clock (`performance.now`) began; null until an answer has told it. */
const began = signal<number | null>(null);

/** Whether an answer has told the service's time; until then the device's clock serves. */
export const isClockKnown = (): boolean => began.value !== null;

/** What the service's clock says now, in milliseconds since 1970: a phone's may be wrong by days. */
export const serviceNow = (): number => (began.value === null ? Date.now() : began.value + performance.now());

/** The same of an instant that was noted by the device's clock. */
export const serviceTime = (noted: number): number => noted + serviceNow() - Date.now();

/** The device's time at which its clock would have noted an instant of the service's. */
export const deviceTime = (at: number): number => at - serviceNow() + Date.now();

const toleranceMs = 2_000;

/** Notes what the headers of an answer say of the time. One out of a cache is older than now, so the latest counts. */
export const noteClock = (headers: Headers): void => {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  // The headers tell whole seconds, in the middle of which the answer was given.
  const told = date + Number(headers.get('Age') ?? 0) * 1000 + 500;
  const known = began.peek();
  if (known === null || told - (known + performance.now()) > toleranceMs)
    began.value = told - performance.now();
};
