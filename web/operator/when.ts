import { serviceNow } from '../shared/clock.ts';
import { inDigits } from '../shared/number.ts';
import { dateOf, nearDateShort, timeOf } from '../shared/time.ts';

/** "Hari ini, Jumat 27 Nov, 09.30": in the zone of the deployment. */
export const formatWhen = (instant: string): string =>
  `${nearDateShort(dateOf(instant), dateOf(serviceNow()))}, ${timeOf(instant)}`;

const mebibyte = 1_048_576;

/** "1,4 MB" */
export const sizeInWords = (bytes: number): string => `${inDigits(bytes / mebibyte, 1)} MB`;
