import { sameText } from '../../core/crypto/same-text.ts';
import { runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { report } from './queries.ts';
import { type Reported, reportedStates } from './rules.ts';

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether a body was signed with the secret as `X-Hub-Signature-256` has it. */
export const isSigned = async (secret: string | undefined, body: string, header: string | undefined) => {
  if (secret === undefined || header === undefined) return false;
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return sameText(`sha256=${hex(await crypto.subtle.sign('HMAC', key, encoder.encode(body)))}`, header);
};

type Json = Readonly<Record<string, unknown>>;

const listMembers = (value: unknown, name: string): unknown[] => {
  const found = typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;
  return Array.isArray(found) ? found : [found];
};
const readText = (value: unknown, name: string): string => String(listMembers(value, name)[0] ?? '');

/** How many reports are noted by one batch. */
const reportsAtOnce = 100;

/** The statuses of our messages in a report of WhatsApp's Cloud API; anything else in it is ignored. */
const reportsIn = (body: unknown): { id: string; state: Reported; reason: string | null }[] =>
  listMembers(body, 'entry')
    .flatMap((entry) => listMembers(entry, 'changes'))
    .flatMap((change) => listMembers(change, 'value'))
    .flatMap((value) => listMembers(value, 'statuses'))
    .flatMap((status) => {
      const state = reportedStates.find((known) => known === readText(status, 'status'));
      const id = readText(status, 'biz_opaque_callback_data');
      const code = readText(listMembers(status, 'errors')[0], 'code');
      if (state === undefined || !/^[\da-f-]{36}$/.test(id)) return [];
      return [
        {
          id,
          state,
          reason: state === 'failed' ? `gateway ${/^\d{1,9}$/.test(code) ? code : 'failure'}` : null,
        },
      ];
    });

/** Notes all that the gateway reports: it takes the answer for a receipt of each. */
export const noteReports = async ({ db, clock }: Deps, body: unknown): Promise<void> => {
  const now = clock();
  const reports = reportsIn(body).map((one) => report(db, { ...one, now }));
  for (let at = 0; at < reports.length; at += reportsAtOnce)
    await runAll(db, reports.slice(at, at + reportsAtOnce));
};
