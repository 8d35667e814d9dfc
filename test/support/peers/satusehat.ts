import type { Deps, PartnerAnswer, PartnerRequest } from '../../../src/core/deps.ts';
import type { Fault } from './bpjs.ts';

export const satusehatSettings = {
  SATUSEHAT: 'on',
  SATUSEHAT_AUTH_URL: 'https://satusehat.example/oauth2/v1',
  SATUSEHAT_FHIR_URL: 'https://satusehat.example/fhir-r4/v1',
  SATUSEHAT_CLIENT_ID: 'klien',
  SATUSEHAT_CLIENT_SECRET: 'rahasia-klien',
  SATUSEHAT_ORGANIZATION_ID: '10000004',
};

interface State {
  status: string;
  period: { start: string; end?: string };
}

export interface Encounter {
  id?: string;
  status: string;
  statusHistory: State[];
  identifier: { system: string; value: string }[];
  subject: { reference: string };
  period: { start: string; end?: string };
}

const json = (status: number, content: object): PartnerAnswer => ({ status, body: JSON.stringify(content) });
const refusal = (status: number, text: string) =>
  json(status, { resourceType: 'OperationOutcome', issue: [{ severity: 'error', details: { text } }] });

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

/**
 * SATUSEHAT: it gives tokens (after a refusal one try a minute), finds people by NIK, takes whole Encounters, and notes
 * under `wrongs` what no clinic may send.
 */
export const createSatusehat = (clock: () => number, settings = satusehatSettings) => {
  const encounters = new Map<string, Encounter>();
  const people = new Map<string, string>();
  const calls: string[] = [];
  const wrongs: string[] = [];
  const tokens = new Map<string, number>();
  const state = { failedAt: Number.NEGATIVE_INFINITY, given: 0 };
  const peer = {
    fault: (_method: string, _path: string): Fault | null => null,
    /** Forgets all tokens, as a restart there does. */
    forgetTokens: () => tokens.clear(),
  };

  const giveToken = ({ body = '' }: PartnerRequest): PartnerAnswer => {
    const form = new URLSearchParams(body);
    if (clock() - state.failedAt < 60_000) wrongs.push('a token was asked for within a minute of a failure');
    const isKnown =
      form.get('client_id') === settings.SATUSEHAT_CLIENT_ID &&
      form.get('client_secret') === settings.SATUSEHAT_CLIENT_SECRET;
    if (!isKnown) {
      state.failedAt = clock();
      return refusal(401, 'Invalid client');
    }
    state.given += 1;
    const token = `token-${state.given}`;
    tokens.set(token, clock() + 3_599_000);
    return json(200, { token_type: 'BearerToken', access_token: token, expires_in: '3599' });
  };

  /** What is wrong with the history: it begins with the visit, has no gap, and ends with it. */
  const checkHistory = ({ status, statusHistory, period }: Encounter): void => {
    const last = statusHistory.at(-1);
    if (last?.status !== status) wrongs.push('the last state is not the status');
    if (statusHistory[0]?.period.start !== period.start) wrongs.push('the history begins elsewhere');
    if (last?.period.end !== period.end) wrongs.push('the history ends elsewhere');
    for (const [at, one] of statusHistory.entries()) {
      const next = statusHistory[at + 1];
      if (next !== undefined && one.period.end !== next.period.start) wrongs.push('a gap in the history');
      if ([one.period.start, one.period.end].some((text) => text !== undefined && !instant.test(text)))
        wrongs.push('an instant that is not in UTC');
    }
  };

  const identify = (encounter: Encounter) => encounter.identifier[0]?.value ?? '';

  const write = ({ method, body = '' }: PartnerRequest, path: string): PartnerAnswer => {
    const encounter: Encounter = JSON.parse(body);
    checkHistory(encounter);
    const system = `http://sys-ids.kemkes.go.id/encounter/${settings.SATUSEHAT_ORGANIZATION_ID}`;
    if (encounter.identifier[0]?.system !== system)
      return refusal(400, 'Invalid organization (RuleNumber: 10117)');
    if (method === 'POST') {
      if ([...encounters.values()].some((one) => identify(one) === identify(encounter))) {
        wrongs.push('an Encounter twice');
        return refusal(400, 'Found duplicate: Encounter (RuleNumber: 20002)');
      }
      const id = `enc-${encounters.size + 1}`;
      encounters.set(id, { ...encounter, id });
      return json(201, { ...encounter, id });
    }
    const id = path.split('/')[1] ?? '';
    if (encounter.id !== id) return refusal(400, 'id is required');
    if (!encounters.has(id)) return refusal(404, 'not found');
    encounters.set(id, encounter);
    return json(200, encounter);
  };

  const search = (path: string): PartnerAnswer => {
    const query = new URL(path, 'https://satusehat.example').searchParams;
    const [system, value = ''] = (query.get('identifier') ?? '').split('|');
    const bundle = (ids: readonly string[]) =>
      json(200, { resourceType: 'Bundle', entry: ids.map((id) => ({ resource: { id } })) });
    if (path.startsWith('Encounter'))
      return bundle([...encounters].flatMap(([id, one]) => (identify(one) === value ? [id] : [])));
    if (system !== 'https://fhir.kemkes.go.id/id/nik') wrongs.push('not looked up by NIK');
    const found = people.get(value);
    return bundle(found === undefined ? [] : [found]);
  };

  const faults: Partial<Record<Fault, PartnerAnswer>> = {
    lost: { failure: 'connection' },
    drop: { failure: 'connection' },
    slow: { failure: 'timeout' },
    html: { status: 200, body: '<html></html>' },
    '500': { status: 503, body: '<html></html>' },
    '429': { status: 429, body: '', retryAfterMs: 120_000 },
  };

  const ask: Deps['askPartner'] = async (request) => {
    const isToken = request.url.startsWith(settings.SATUSEHAT_AUTH_URL);
    const path = isToken ? 'accesstoken' : request.url.slice(settings.SATUSEHAT_FHIR_URL.length + 1);
    calls.push(`${request.method} ${path}`);
    const fault = peer.fault(request.method, path);
    if (fault !== null && fault !== 'lost') {
      if (isToken) state.failedAt = clock();
      return faults[fault] ?? { failure: 'connection' };
    }
    const serve = (): PartnerAnswer => {
      if (isToken) return giveToken(request);
      const token = (request.headers.Authorization ?? '').replace('Bearer ', '');
      if ((tokens.get(token) ?? 0) <= clock()) return refusal(401, 'Invalid access token');
      return request.method === 'GET' ? search(path) : write(request, path);
    };
    const answer = serve();
    return fault === 'lost' ? { failure: 'connection' } : answer;
  };
  return Object.assign(peer, { ask, encounters, people, calls, wrongs, tokens, given: () => state.given });
};
