import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/endpoint/endpoint.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { seedDemo } from '../../src/modules/demo/demo.ts';
import { makeSetupLink } from '../../src/modules/setup/link.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { createPasskey } from '../support/authenticator.ts';
import { act } from '../support/clinic-people.ts';
import {
  documentedBodies,
  documentedHeaders,
  documentedOperations,
  documentedQueries,
  type Operation,
} from '../support/documented.ts';
import { addFactor, appCode, enrol } from '../support/factors.ts';
import { codesOn } from '../support/holds.ts';
import { findViolations } from '../support/invariants.ts';
import { cookiesOf, jar, own } from '../support/page-login.ts';
import { addPasskey, beginPasskey } from '../support/passkeys.ts';
import { createIssuer, oidcSettings } from '../support/peers/oidc.ts';
import { addDevice } from '../support/people.ts';
import { findMaker, findRecord, makeBooking, makeFeed, makeWalkIn } from '../support/records.ts';
import { createWorld, registerPatient, testClinicId } from '../support/world.ts';

const demoPeople: Record<Role, string> = {
  admin: 'd0c70000-0000-4000-8000-000000003001',
  staff: 'd0c70000-0000-4000-8000-000000003002',
  doctor: 'd0c70000-0000-4000-8000-000000003003',
  patient: 'd0c70000-0000-4000-8000-000000003004',
};
const practice = {
  doctor_id: 'd0c70000-0000-4000-8000-000000001001',
  session_id: 'd0c70000-0000-4000-8000-000000002001',
};

/** The demo clinic as a reader of the document meets it. */
const openClinic = async () => {
  const world = await createWorld(codesOn);
  await seedDemo(world.db, world.deps.hasher, world.clock.now);
  const login = async (role: Role) => ({
    id: demoPeople[role],
    ...(await addDevice(world, demoPeople[role], role)),
  });
  const [patient, staff, admin] = [await login('patient'), await login('staff'), await login('admin')];
  return { world, patient, staff, admin, practice, records: new Map<string, string>() };
};
type Clinic = Awaited<ReturnType<typeof openClinic>>;

const pathOf = async (clinic: Clinic, operation: Operation): Promise<string> => {
  const { world, admin } = clinic;
  const [kind = ''] = findMaker(operation.path) ?? [];
  const example = operation.parameters.find(({ name }) => name === 'id')?.schema.examples?.[0];
  const isMade = kind !== '' || (example === undefined && operation.path.includes('{id}'));
  const id =
    clinic.records.get(kind) ??
    (isMade ? await findRecord(clinic, operation.path, operation.id) : String(example));
  if (kind !== '') clinic.records.set(kind, id);
  if (operation.id === 'callNext') {
    const booking = await makeBooking(clinic);
    for (const verb of ['approve', 'check-in']) await act(world, clinic.staff, booking, verb);
  }
  if (operation.path.includes('{token}')) return (await makeFeed(clinic)).path;
  if (operation.path.includes('{device_id}')) {
    const { deviceLoginId } = await addDevice(world, id, 'patient');
    return operation.path.replace('{id}', id).replace('{device_id}', deviceLoginId);
  }
  if (operation.path.includes('{feed_id}')) {
    const feed = await makeFeed(clinic);
    return operation.path.replace('{id}', demoPeople.patient).replace('{feed_id}', feed.id);
  }
  const path = operation.path.replace('{id}', id);
  if (!path.includes('{delivery_id}')) return path;
  await makeBooking(clinic, '10:30:00');
  await deliverWebhooks(world.deps);
  const log = path.slice(0, path.indexOf('/{delivery_id}'));
  const [delivery] = (await world.request(log, { token: admin.token })).body.data;
  return path.replace('{delivery_id}', delivery.id);
};

/** Whom the demo clinic does not know gives these with the code. */
const newPerson = { name: 'Putri Ayu', birth_date: '1990-05-17' };

/** Secrets that only the service can make, in place of those that the document shows. */
const withSecrets = async (clinic: Clinic, { id }: Operation, body: object | undefined) => {
  const { world, staff } = clinic;
  if (id === 'claimFamilyMember') {
    const path = `/v1/patients/${await makeWalkIn(clinic)}/claim-code`;
    const { data } = (await world.request(path, { method: 'POST', token: staff.token })).body;
    return { ...body, code: data.code };
  }
  if (id === 'refresh') {
    const account = { email: 'pasien@klinik.example', password: 'janji-demo-2026' };
    const { data } = (await world.request('/v1/auth/login', { body: account })).body;
    return { ...body, refresh_token: data.refresh_token };
  }
  if (id.endsWith('Offer') && body !== undefined && 'booking_id' in body) {
    const { data } = (await world.request('/v1/waitlist', { token: clinic.patient.token })).body;
    return { ...body, booking_id: data[0].offer.booking_id };
  }
  if (id === 'confirmTotp') {
    const path = '/v1/auth/second-factors/totp';
    const { data } = (await world.request(path, { method: 'POST', token: clinic.patient.token })).body;
    return { ...body, code: appCode(data.secret, world.clock.now) };
  }
  if (id === 'beginConfirmation') await addPasskey(world, clinic.patient.token, await createPasskey());
  if (id === 'addPasskey') {
    const { challenge, public_key } = (await beginPasskey(world, clinic.patient.token)).body.data;
    return { ...body, challenge, credential: await (await createPasskey()).create(public_key) };
  }
  if (id === 'makeRecoveryCodes') await addFactor(world, demoPeople.patient);
  if (id === 'logInWithFactor') {
    const { secret } = await enrol(world, clinic.patient.token);
    const account = { email: 'pasien@klinik.example', password: 'janji-demo-2026' };
    const { challenge } = (await world.request('/v1/auth/login', { body: account })).body;
    return { ...body, challenge, code: appCode(secret, world.clock.now) };
  }
  if (id === 'proveNewEmail') {
    const { token } = clinic.patient;
    const wished = { email: 'putri.baru@klinik.example' };
    await world.request('/v1/auth/email/change', { token, body: wished });
    await Promise.all(world.background);
    const letter = world.mails.find(({ to }) => to === wished.email);
    return { ...body, code: /\n(\d{4} \d{4})\n/.exec(letter?.text ?? '')?.[1] };
  }
  if (id === 'createFirstAdmin') {
    // As before anybody had rights.
    await world.db.update(users).set({ role: 'patient' });
    const link = await makeSetupLink(world.db, testClinicId, 'http://localhost', world.clock.now);
    return { ...body, token: link.split('#')[1], email: 'kepala@klinik.example' };
  }
  if (id === 'sendLoginCode' || id === 'logInByCode') {
    world.deps.mailer = { ...world.deps.mailer, reachesPeople: true };
    world.deps.config = { ...world.deps.config, LOGIN_BY_CODE: 'on' };
  }
  // One of the two: the e-mail stays where an example has both, and where it has the phone alone nothing does.
  if (id === 'sendLoginCode' && body !== undefined)
    return { email: 'pasien@klinik.example', ...body, phone: undefined };
  if (id === 'logInByCode' && body !== undefined && 'email' in body) {
    await world.request('/v1/auth/code', { body: { email: body.email } });
    await Promise.all(world.background);
    const code = /\n(\d{3} \d{3})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    return { ...newPerson, ...body, phone: undefined, code };
  }
  if (id === 'changePhone' || id === 'proveNewPhone' || id === 'sendConfirmationCode') {
    const gateway = { NOTICE_API_URL: 'https://gateway.example/messages', NOTICE_API_KEY: 'kunci' };
    const sent: string[] = [];
    Object.assign(world.deps, {
      config: { ...world.deps.config, LOGIN_BY_PHONE_CODE: 'on', ...gateway },
      sendMessage: async (message: { body: string }) => {
        sent.push(message.body);
        return { status: 200 };
      },
    });
    const { token } = clinic.patient;
    if (id === 'sendConfirmationCode')
      await world.db
        .update(users)
        .set({ loginPhone: '6281234567890', passwordUnsetAt: 1 })
        .where(eq(users.id, demoPeople.patient));
    if (id !== 'proveNewPhone' || body === undefined || !('phone' in body)) return body;
    await world.request('/v1/auth/phone/change', { token, body: { phone: body.phone } });
    await Promise.all(world.background);
    const message = JSON.parse(sent.at(-1) ?? '{}');
    return { ...body, code: message.template?.components[0].parameters[0].text };
  }
  if (id === 'beginSsoConfirmation' || id === 'finishSsoConfirmation') {
    const issuer = await createIssuer(() => world.clock.now);
    Object.assign(world.deps, {
      askPartner: issuer.ask,
      config: { ...world.deps.config, ...oidcSettings },
    });
    const email = 'admin@klinik.example';
    const ssoSubject = JSON.stringify([oidcSettings.OIDC_ISSUER, 'dewi']);
    await world.db.update(users).set({ ssoSubject }).where(eq(users.email, email));
    if (id === 'beginSsoConfirmation') return body;
    const path = '/v1/auth/reauthenticate/sso';
    const begun = await world.request(path, { method: 'POST', token: clinic.admin.token });
    const { url, challenge } = begun.body.data;
    return {
      ...body,
      challenge,
      response: issuer.authorize(url, { sub: 'dewi', email, email_verified: true }),
    };
  }
  if (id === 'beginSso' || id === 'finishSso') {
    const issuer = await createIssuer(() => world.clock.now);
    Object.assign(world.deps, {
      askPartner: issuer.ask,
      config: { ...world.deps.config, ...oidcSettings },
    });
    if (id === 'beginSso') return body;
    const begun = await world.request('/v1/auth/sso', { body: {}, headers: own });
    const response = issuer.authorize(begun.body.data.url, {
      ...{ sub: 'rina', email: 'staff@klinik.example', email_verified: true },
    });
    return { ...body, response, cookie: jar(...cookiesOf(begun)) };
  }
  if (id === 'checkInAtKiosk' || id === 'checkInByPoster') {
    const booking = clinic.records.get('/v1/bookings/{') ?? (await makeBooking(clinic));
    const { data } = (await world.request(`/v1/bookings/${booking}`, { token: clinic.patient.token })).body;
    world.deps.config = { ...world.deps.config, SELF_CHECK_IN_MINUTES: 60 };
    world.clock.now = Date.parse(data.starts_at);
    const poster = await world.request('/v1/admin/check-in-poster', {
      method: 'POST',
      token: clinic.admin.token,
    });
    await world.request(`/v1/bookings/${booking}/approve`, { token: clinic.staff.token, body: {} });
    if (id === 'checkInByPoster') return { poster: poster.body.data.secret };
    return { code: data.booking_code };
  }
  if (id === 'sendTestMail') world.deps.mailer = { ...world.deps.mailer, reachesPeople: true };
  if (id !== 'resetPassword') return body;
  await world.request('/v1/auth/password/forgot', { body: { email: 'pasien@klinik.example' } });
  await Promise.all(world.background);
  const token = /[\w-]{40,}/.exec(world.mails.at(-1)?.text ?? '')?.[0];
  return { ...body, token };
};

const contractOf = ({ method, path }: Operation) =>
  Object.values(contracts).find((one) => one.method.toUpperCase() === method && one.path === path);

const callerOf = async (
  clinic: Clinic,
  operation: Operation,
  body: object | undefined,
): Promise<string | undefined> => {
  const { access, holdSecret } = contractOf(operation) ?? {};
  // The hold is the patient's.
  if (access === 'public') return holdSecret ? clinic.patient.token : undefined;
  // The e-mails of the demo clinic are proved: a person who requests a code has just registered.
  if (operation.id === 'sendEmailCode') return (await registerPatient(clinic.world)).token;
  // Operations that only the clinic may call.
  if (body !== undefined && ('patient_id' in body || 'staff_notes' in body)) return clinic.staff.token;
  return access === 'bearer' || access?.includes('patient') ? clinic.patient.token : clinic.admin.token;
};

const operations = documentedOperations();
const isRead = ({ method }: Operation) => method === 'GET';

describe('every example and every default of the document is accepted by the demo clinic', () => {
  it('as a query, parameter by parameter', async () => {
    const clinic = await openClinic();
    const answers: string[] = [];
    for (const operation of operations.filter(isRead)) {
      const path = await pathOf(clinic, operation);
      const caller = await callerOf(clinic, operation, undefined);
      const headers = documentedHeaders(operation);
      for (const query of documentedQueries(operation)) {
        // Of a patient only somebody who is known may ask.
        const token = caller ?? (query.startsWith('?patient_id=') ? clinic.staff.token : undefined);
        const { status } = await clinic.world.request(`${path}${query}`, { token, headers });
        answers.push(`${operation.id}${query} ${status}`);
      }
    }
    expect(answers.length).toBeGreaterThan(60);
    expect(
      answers.filter((answer) => !answer.endsWith(' 200')),
      'for a 404: name the demo clinic’s record of that path in src/interface/reference/owned-examples.ts',
    ).toEqual([]);
  });

  for (const operation of operations.filter((one) => !isRead(one)))
    it(`as a body of ${operation.id}`, async () => {
      for (const [kind, body] of documentedBodies(operation)) {
        const clinic = await openClinic();
        const path = await pathOf(clinic, operation);
        const token = await callerOf(clinic, operation, body);
        const { cookie, ...secrets } = { ...(await withSecrets(clinic, operation, body)) } as Record<
          string,
          unknown
        >;
        const sent = body === undefined ? undefined : secrets;
        const { method } = operation;
        const headers = {
          ...documentedHeaders(operation),
          ...(contractOf(operation)?.idempotent && { 'Idempotency-Key': crypto.randomUUID() }),
          ...(typeof cookie === 'string' && { Cookie: cookie }),
        };
        const answer = await clinic.world.request(path, { method, token, headers, body: sent });
        const { code = '', errors } = answer.body;
        const said = `${kind}: ${answer.status < 300} ${answer.status} ${code} ${JSON.stringify(errors ?? '')}`;
        expect(
          said,
          'give each field an `example` that the demo clinic accepts: `described` in the contract, or the glossary',
        ).toMatch(/^[a-z ]+: true 20\d /);
        // A backup of a clinic that does this is sound: the stored answer to the request, too.
        expect(await findViolations(clinic.world.db)).toEqual([]);
      }
    });
});
