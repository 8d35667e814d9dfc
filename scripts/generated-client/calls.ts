import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { contracts } from '../../src/interface/contracts.ts';

interface Documented {
  operationId: string;
  parameters?: { name?: string; in?: string; required?: true; schema?: { examples?: unknown[] } }[];
  requestBody?: { content: { 'application/json': { example?: object } } };
}

export interface Document {
  paths: Record<string, Record<string, Documented>>;
}

/** Required values that only a mail, an authenticator app or a passkey provides. */
const needsSecret = new Set([
  'resetPassword',
  'verifyEmail',
  'proveNewEmail',
  'logInWithFactor',
  'confirmTotp',
  'addPasskey',
  'beginConfirmation',
  'makeRecoveryCodes',
  'removeSecondFactor',
  // Answered to a browser alone, which says where a request comes from.
  'logInOnPage',
  'refreshOnPage',
  'logOutOnPage',
  'beginSso',
  'finishSso',
  'beginSsoConfirmation',
  'finishSsoConfirmation',
  'createFirstAdmin',
  // The service of this program sends no mail.
  'sendTestMail',
  'sendLoginCode',
  'logInByCode',
  'changePhone',
  'proveNewPhone',
  'sendConfirmationCode',
  // Slots are held where codes log people in, which the service of this program does not offer.
  'holdSlot',
  'getHold',
  'releaseHold',
  // A reminder asks first whether the patient comes.
  'confirmBooking',
  // A pair of records comes with an e-mail that was proved by a mail.
  'confirmRecordMatch',
  'declineRecordMatch',
  // The service of this program lets nobody check in without the desk.
  'checkInAtKiosk',
  'checkInByPoster',
  // A step that was not taken comes with a health system.
  'retryExchange',
  'leaveExchange',
  // An offer comes with a seat that others give back.
  'acceptOffer',
  'declineOffer',
]);

/** Expressions of the program that make the record which `{id}` names. */
const records: readonly [prefix: string, expression: string][] = [
  ['/v1/doctors/', 'doctor_id'],
  ['/v1/admin/doctors/', 'await newDoctor()'],
  ['/v1/admin/sessions/', 'await newSession()'],
  ['/v1/admin/schedules/', 'await newSchedule()'],
  ['/v1/admin/closures/', 'await newClosure()'],
  ['/v1/admin/webhooks/', 'await newWebhook()'],
  ['/v1/admin/api-keys/', 'await newKey()'],
  ['/v1/admin/people/', 'await newPerson()'],
  ['/v1/bookings/series/', 'await newSeries()'],
  ['/v1/bookings/', 'await newBooking()'],
  ['/v1/patients/', 'await newRecord()'],
  ['/v1/family/', 'await newRelative()'],
  ['/v1/waitlist/', 'await newEntry()'],
  ['/v1/admin/waitlist/', 'await newEntry()'],
  ['/v1/admin/imports/', 'await newImport()'],
];

const visits: Readonly<Record<string, string>> = {
  checkInBooking: "await newBooking('approve')",
  callBooking: "await newBooking('approve', 'check-in')",
  skipBooking: "await newBooking('approve', 'check-in', 'call')",
  callNext: "(await newBooking('approve', 'check-in'), doctor_id)",
  completeBooking: "await newBooking('approve', 'check-in', 'call')",
  noShowBooking: "await newBooking('approve')",
  undoBooking: "await newBooking('approve', 'check-in')",
  getPageOfDoctor: 'await publishedDoctor()',
  importVisits: "await newImport('visits')",
};

/** Of a kind that the program does not make, the first record of its list. */
const firstListed = (path: string): string => {
  const [list] = path.split('/{id}');
  const isListed = Object.values(contracts).some((one) => one.path === list && one.method === 'get');
  if (isListed) return `await firstOf('${list}')`;
  throw new Error(
    `No record for ${path}: add \`['${list}/', 'await newRecord()'],\` to \`records\` of scripts/generated-client/calls.ts, and what it calls to opening.txt.`,
  );
};

const idFor = (id: string, path: string): string =>
  visits[id] ?? records.find(([prefix]) => path.startsWith(prefix))?.[1] ?? firstListed(path);

const callerOf = ({ access, path }: Endpoint): string[] => {
  if (access === 'public') return [];
  return [access === 'bearer' && !path.includes('{id}') ? '...(await patient())' : '...admin'];
};

const bodyOf = (id: string, { requestBody }: Documented): string[] => {
  const example = requestBody?.content['application/json'].example;
  if (id === 'refresh') return ['body: { refresh_token: (await newPatient()).refresh_token }'];
  // The program moves a booking of its own doctor, whose slots go around the clock.
  if (id === 'rescheduleBooking')
    return [`body: { ...${JSON.stringify(example)}, schedule_time: '00:00:00' }`];
  // The environment sets the notice here, so that the program can book the next slot as a patient.
  if (id === 'changeClinic')
    return [`body: ${JSON.stringify({ ...example, min_notice_minutes: undefined })}`];
  // Of its own doctor, for the patient of the booking.
  if (id === 'bookFollowUp') return ["body: { from: today, to: today, notes: '' }"];
  if (id === 'bookSeries') return ['body: weekly'];
  // The program's own session: the example's is the demo's.
  if (id === 'callNext') return ['body: { session_id }'];
  if (id === 'claimFamilyMember')
    return [`body: { ...${JSON.stringify(example)}, code: await newClaimCode() }`];
  return example === undefined ? [] : [`body: ${JSON.stringify(example)}`];
};

/** The required parameters of a query, from the document's examples. */
const queryOf = ({ parameters = [] }: Documented): string[] => {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  if (required.length === 0) return [];
  const given = Object.fromEntries(required.map(({ name = '', schema }) => [name, schema?.examples?.[0]]));
  return [`query: ${JSON.stringify(given)}`];
};

const optionsOf = (id: string, operation: Documented, contract: Endpoint): string[] => {
  const { path } = contract;
  if (id === 'endDevice') return ['...(await ownDevice())'];
  if (id === 'endPersonDevice') return ['...admin', 'params: { path: await deviceOfPerson() }'];
  if (id === 'endPersonFeed') return ['...admin', 'params: { path: await feedOfPerson() }'];
  if (id === 'endCalendarFeed') return ['...(await ownFeed()).own'];
  if (id === 'getCalendarFeed')
    return ['params: { path: { token: (await ownFeed()).token } }', "parseAs: 'text' as const"];
  if (id === 'replayDelivery' || id === 'getDelivery')
    return ['...admin', 'params: { path: await deliveryOf(await newWebhook()) }'];
  const parts = [
    ...(path.includes('{id}') ? [`path: { id: ${idFor(id, path)} }`] : []),
    ...queryOf(operation),
  ];
  const params = parts.length === 0 ? [] : [`params: { ${parts.join(', ')} }`];
  const text = Object.values(contract.returns).some(({ contentType }) => contentType !== undefined);
  return [
    ...callerOf(contract),
    ...params,
    ...bodyOf(id, operation),
    ...(text ? ["parseAs: 'text' as const"] : []),
  ];
};

/** A line of the program for each operation that needs no secret, with the example of the document. */
export const callsOf = ({ paths }: Document): { names: string[]; lines: string[] } => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const calls = operations.flatMap(({ path, method, operation }) => {
    const name = operation.operationId;
    const contract = Object.values(contracts).find((one) => one.path === path && one.method === method);
    if (contract === undefined || needsSecret.has(name)) return [];
    const options = optionsOf(name, operation, contract).join(', ');
    const line = `await call('${name}', client.${method.toUpperCase()}('${path}', { ${options} }));`;
    return [{ name, line }];
  });
  return { names: calls.map(({ name }) => name), lines: calls.map(({ line }) => line) };
};
