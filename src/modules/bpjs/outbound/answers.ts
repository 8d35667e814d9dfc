// Pure: what an answer of BPJS means for the step that it answers.

import type { ExchangeReason } from '../../../core/tables/words.ts';

/**
 * `done`: taken, or there already; `closed`: the visit is over for BPJS, so that nothing more can be said of it;
 * `later`: its instant must be later than the one before; `parked`: a person has to look; `rest`: nothing is taken from
 * this clinic for now; `again`: another attempt may end otherwise.
 */
type Meaning = 'done' | 'closed' | 'later' | 'parked' | 'rest' | 'again';

interface Rule {
  code: number;
  /** A part of the sentence; any sentence unless set. */
  says?: RegExp;
  means: Meaning;
  reason?: ExchangeReason;
}

/** The first rule whose code and sentence fit counts. Sentences as BPJS writes them. */
export const answers: readonly Rule[] = [
  { code: 200, means: 'done' },
  { code: 1, means: 'done' },
  { code: 208, means: 'done' },
  { code: 201, says: /duplikasi|sudah ada/i, means: 'done' },
  { code: 201, says: /taskid terakhir 99|sudah (di)?batal/i, means: 'closed' },
  {
    code: 201,
    says: /tidak boleh kurang atau sama dengan waktu sebelumnya/i,
    means: 'later',
    reason: 'time',
  },
  { code: 201, says: /taskid terakhir/i, means: 'parked', reason: 'order' },
  { code: 201, says: /rujukan/i, means: 'parked', reason: 'referral' },
  { code: 201, says: /tidak ditemukan|tidak terdaftar/i, means: 'parked', reason: 'unknown_visit' },
  { code: 201, means: 'parked', reason: 'refused' },
  { code: 401, says: /timestamp|expired|waktu/i, means: 'rest', reason: 'clock' },
  { code: 403, says: /timestamp|expired|waktu/i, means: 'rest', reason: 'clock' },
  { code: 401, means: 'rest', reason: 'signature' },
  { code: 403, means: 'rest', reason: 'signature' },
  { code: 429, means: 'rest', reason: 'busy' },
];

const lastTask = /taskid terakhir (\d+)/i;
const namedTime = /\((\d{2})-(\d{2})-(\d{4}) (\d{2}:\d{2}:\d{2}) WIB\)/;

/** What an answer means; `task` is the number of the task that it answers. */
export const judgeAnswer = (
  code: number,
  message: string,
  task: number | null,
): { means: Meaning; reason: ExchangeReason | null } => {
  const rule = answers.find((one) => one.code === code && (one.says?.test(message) ?? true));
  if (rule === undefined)
    return code >= 500 || code === 0
      ? { means: 'again', reason: 'no_answer' }
      : { means: 'parked', reason: 'refused' };
  // A later task than this one was taken: this one, or a step beyond it, is known there.
  const last = Number(lastTask.exec(message)?.[1] ?? 0);
  if (rule.reason === 'order' && task !== null && last >= task) return { means: 'done', reason: null };
  return { means: rule.means, reason: rule.reason ?? null };
};

/** The instant that a sentence names in Jakarta's time; null if it names none. */
export const readNamedTime = (message: string): number | null => {
  const [, day, month, year, time] = namedTime.exec(message) ?? [];
  const instant = Date.parse(`${year}-${month}-${day}T${time}+07:00`);
  return Number.isNaN(instant) ? null : instant;
};

/** The other side's sentence as it may be stored: short, and without numbers that could be a person's. */
export const maskAnswer = (message: string): string => message.replaceAll(/\d{8,}/g, '…').slice(0, 200);
