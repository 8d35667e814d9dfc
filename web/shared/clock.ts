import { signal } from '@preact/signals';

/** The service's time at the origin of this page's clock (`performance.now`); null until an answer has given it. */
const began = signal<number | null>(null);

/** Whether an answer has given the service's time; until then the device's clock is used. */
export const isClockKnown = (): boolean => began.value !== null;

/** The service's present time, in milliseconds since 1970: a phone's clock may be wrong by days. */
export const serviceNow = (): number => (began.value === null ? Date.now() : began.value + performance.now());

/** The same of an instant that was noted by the device's clock. */
export const serviceTime = (noted: number): number => noted + serviceNow() - Date.now();

/** The device's time at which its clock would have noted an instant of the service's. */
export const deviceTime = (at: number): number => at - serviceNow() + Date.now();

const toleranceMs = 2_000;

/** Sets the time from an answer's headers. A cached answer is older than now, so the latest time counts. */
export const noteClock = (headers: Headers): void => {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  // The header has whole seconds; half a second is added on average.
  const told = date + Number(headers.get('Age') ?? 0) * 1000 + 500;
  const known = began.peek();
  if (known === null || told - (known + performance.now()) > toleranceMs)
    began.value = told - performance.now();
};
