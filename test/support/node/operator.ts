import { EventEmitter } from 'node:events';
import { createSettingsBox } from '../../../src/modules/clinics/settings.ts';
import { enrolOperator, operatorsKeyId } from '../../../src/modules/operators/accounts.ts';
import { readClinicsSecrets } from '../../../src/runtime/node/clinics/directory-file.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { appCode } from '../factors.ts';
import { rememberingHasher } from '../hasher.ts';
import { openManyClinics } from './many-clinics.ts';

export const operatorMail = 'ani@vendor.example';
export const operatorPassword = 'jembatan-merah-9x';
/** A host that is no clinic's. */
export const ownHost = 'ops.janji.example';

/** A deployment of demo clinics with an operator, and the requests of the page. */
export const openForOperators = async (...given: Parameters<typeof openManyClinics>) => {
  const clinics = await openManyClinics(...given);
  const { folder, time, many } = clinics;
  const settings = parseAllSettings({ CLINICS: 'files', CLINICS_FOLDER: folder, NODE_ENV: 'test' });
  const box = await createSettingsBox(operatorsKeyId, settings, readClinicsSecrets(settings, folder));
  const enrol = (isNew: boolean) =>
    enrolOperator(
      { email: operatorMail, password: operatorPassword, isNew },
      { db: many().directory, box, hasher: rememberingHasher(), now: time.now },
    );
  const { secret } = await enrol(true);

  /** Sends a request as the page does, from its own origin. */
  const send = async (
    method: string,
    path: string,
    {
      cookie,
      body,
      host = ownHost,
      headers = {},
    }: { cookie?: string | undefined; body?: unknown; host?: string; headers?: Record<string, string> } = {},
  ) => {
    const outgoing = new EventEmitter();
    const incoming = { headers: {}, socket: { remoteAddress: '127.0.0.1' } };
    const answer = await many().fetch(
      new Request(`http://${host}${path}`, {
        method,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(cookie !== undefined && { Cookie: cookie }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      { incoming, outgoing },
    );
    const text = await answer.text();
    outgoing.emit('close');
    const isJson = answer.headers.get('Content-Type')?.includes('json') ?? false;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  const proof = () => ({ email: operatorMail, password: operatorPassword, code: appCode(secret, time.now) });
  const tryLogin = (change: object = {}) =>
    send('POST', '/operator/api/login', { body: { ...proof(), ...change } });
  /** The cookie of a new login; the clock goes on, so that the next code is another. */
  const logIn = async (): Promise<string> => {
    const { status, headers, text } = await tryLogin();
    if (status !== 200) throw new Error(`${status} ${text}`);
    time.now += 30_000;
    return (headers.get('Set-Cookie') ?? '').split(';', 1)[0] ?? '';
  };
  return { ...clinics, sendToOwn: send, tryLogin, logIn, enrol, secret };
};
