import { signal } from '@preact/signals';
import { today } from '../clinic.ts';
import type { HistoryItem } from '../ticket/asked.ts';

/**
 * The secret of the clinic's poster, until the page is left: who comes back tomorrow scans it again. Null for everybody
 * who has scanned none.
 */
export const poster = signal<string | null>(null);

/** Takes the secret out of the address, where it is not sent to a server. */
export const takePoster = (): void => {
  const given = new URLSearchParams(location.hash.slice(1)).get('poster');
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  if (given) poster.value = given;
};

/** Whether the patient of a booking can still be checked in today. */
export const awaitsArrival = ({
  status,
  visit,
  schedule_date,
}: Pick<HistoryItem, 'status' | 'visit' | 'schedule_date'>): boolean =>
  status !== 'canceled' && visit === null && schedule_date === today();
