import { createCipheriv, createHash, createHmac } from 'node:crypto';
import lz from 'lz-string';
import type { Deps, PartnerAnswer, PartnerRequest } from '../../../src/core/deps.ts';

export const bpjsSettings = {
  BPJS: 'rs',
  BPJS_URL: 'https://bpjs.example/antreanrs',
  BPJS_CONS_ID: '1234',
  BPJS_SECRET: 'rahasia',
  BPJS_USER_KEY: 'kunci-antrean',
};

/** How a call goes wrong: `lost` is taken without an answer, `drop` is not taken; `slow` ends at the time limit. */
export type Fault =
  | 'lost'
  | 'drop'
  | 'slow'
  | 'html'
  | '500'
  | 'fault'
  | '429'
  | 'signature'
  | 'clock'
  | 'referral';

interface Queue {
  add: Record<string, unknown>;
  tasks: [task: number, waktu: number][];
  canceled: boolean;
}

const wib = (instant: number) => {
  const [date = '', time = ''] = new Date(instant + 7 * 3_600_000).toISOString().split(/[TZ.]/);
  return `${date.split('-').reverse().join('-')} ${time} WIB`;
};

const json = (code: number, message: string, response?: unknown): PartnerAnswer => ({
  status: 200,
  body: JSON.stringify({ ...(response !== undefined && { response }), metadata: { code, message } }),
});

/** A page that a gateway in front of a service answers with. */
const html = (status: number): PartnerAnswer => ({ status, body: '<html><body>Bad Gateway</body></html>' });

const required = ['kodebooking', 'kodepoli', 'tanggalperiksa', 'kodedokter', 'jampraktek', 'nomorantrean'];

/**
 * The Antrean service of BPJS: it verifies each call (signature, clock, order and instants of tasks), keeps what it was
 * told, and notes under `wrongs` what no clinic may send.
 */
export const createBpjs = (clock: () => number, settings = bpjsSettings) => {
  const queues = new Map<string, Queue>();
  const calls: { path: string; body: Record<string, unknown>; headers: Record<string, string> }[] = [];
  const wrongs: string[] = [];
  const references: Record<string, unknown> = {};
  const peer = { fault: (_path: string, _body: Record<string, unknown>): Fault | null => null };

  const refuse = ({ headers }: PartnerRequest): PartnerAnswer | null => {
    const timestamp = headers['x-timestamp'] ?? '';
    const text = `${settings.BPJS_CONS_ID}&${timestamp}`;
    const signature = createHmac('sha256', settings.BPJS_SECRET).update(text).digest('base64');
    if (headers['x-cons-id'] !== settings.BPJS_CONS_ID || headers['x-signature'] !== signature)
      return {
        status: 401,
        body: JSON.stringify({ metadata: { code: 401, message: 'Signature is not valid' } }),
      };
    if (headers.user_key !== settings.BPJS_USER_KEY) return { status: 403, body: 'Authentication failed' };
    if (Math.abs(clock() / 1000 - Number(timestamp)) > 300) return json(401, 'Service timestamp is expired');
    return null;
  };

  const encrypted = (timestamp: string, content: unknown): string => {
    const key = createHash('sha256')
      .update(`${settings.BPJS_CONS_ID}${settings.BPJS_SECRET}${timestamp}`)
      .digest();
    const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16));
    const packed = lz.compressToEncodedURIComponent(JSON.stringify(content));
    return Buffer.concat([cipher.update(packed, 'utf8'), cipher.final()]).toString('base64');
  };

  const keyOf = (body: Record<string, unknown>): string =>
    settings.BPJS === 'rs'
      ? String(body.kodebooking)
      : [body.tanggalperiksa, body.kodepoli, body.nomorkartu].join('|');

  const add = (body: Record<string, unknown>): PartnerAnswer => {
    const lacks = required.filter(
      (name) => (name !== 'kodebooking' || settings.BPJS === 'rs') && !body[name],
    );
    if (lacks.length > 0) return json(201, `${lacks[0]} Tidak Boleh Kosong`);
    if (queues.has(keyOf(body)) && settings.BPJS === 'rs')
      return json(208, 'Terdapat duplikasi Kode Booking');
    queues.set(keyOf(body), { add: body, tasks: [], canceled: false });
    return json(200, 'Ok');
  };

  const report = (body: Record<string, unknown>): PartnerAnswer => {
    const queue = queues.get(keyOf(body));
    if (queue === undefined) return json(201, 'Kode Booking tidak ditemukan');
    const [task, waktu] = [Number(body.taskid ?? (body.status === 1 ? 4 : 99)), Number(body.waktu)];
    const [last = 0, lastTime = 0] = queue.tasks.at(-1) ?? [];
    if (waktu > clock()) wrongs.push(`task ${task} lies in the future`);
    if (!Number.isInteger(waktu)) wrongs.push(`task ${task} has no instant`);
    if (new Date(waktu + 7 * 3_600_000).toISOString().slice(0, 10) !== queue.add.tanggalperiksa)
      wrongs.push(`task ${task} of another day`);
    if (queue.canceled || last === 99) return json(201, 'TaskId terakhir 99');
    if (queue.tasks.some(([one]) => one === task)) return json(208, `TaskId=${task} sudah ada`);
    if (last > task) return json(201, `TaskId terakhir ${last}`);
    if (waktu <= lastTime)
      return json(201, `Waktu tidak boleh kurang atau sama dengan waktu sebelumnya (${wib(lastTime)})`);
    queue.tasks.push([task, waktu]);
    return json(200, 'Ok');
  };

  const cancel = (body: Record<string, unknown>): PartnerAnswer => {
    const queue = queues.get(keyOf(body));
    if (queue === undefined) return json(201, 'Antrean Tidak Ditemukan');
    if (queue.canceled) return json(201, 'Antrean Tidak Ditemukan atau Sudah Dibatalkan');
    queue.canceled = true;
    return json(200, 'Ok');
  };

  const serve = (path: string, body: Record<string, unknown>, timestamp: string): PartnerAnswer => {
    if (path === 'antrean/add') return add(body);
    if (path === 'antrean/updatewaktu' || path === 'antrean/panggil') return report(body);
    if (path === 'antrean/batal') return cancel(body);
    const found = references[path];
    return found === undefined
      ? html(404)
      : json(path.startsWith('ref/') ? 1 : 200, 'Ok', encrypted(timestamp, found));
  };

  const faults: Record<Fault, PartnerAnswer> = {
    lost: { failure: 'connection' },
    drop: { failure: 'connection' },
    slow: { failure: 'timeout' },
    html: html(200),
    '500': html(502),
    fault: json(500, 'Object reference not set'),
    '429': { status: 429, body: '', retryAfterMs: 120_000 },
    signature: json(401, 'Signature is not valid'),
    clock: json(401, 'Service timestamp is expired'),
    referral: json(201, 'Rujukan tidak valid'),
  };

  const ask: Deps['askPartner'] = async (request) => {
    const path = request.url.slice(`${settings.BPJS_URL}/`.length);
    const body = JSON.parse(request.body ?? '{}');
    calls.push({ path, body, headers: { ...request.headers } });
    const fault = peer.fault(path, body);
    if (fault !== null && fault !== 'lost') return faults[fault];
    const answer = refuse(request) ?? serve(path, body, request.headers['x-timestamp'] ?? '');
    return fault === 'lost' ? faults.lost : answer;
  };
  return Object.assign(peer, { ask, queues, calls, wrongs, references });
};
