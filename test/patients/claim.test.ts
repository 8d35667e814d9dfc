import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { claimCodes, familyRelations } from '../../src/core/tables/patients.ts';
import { birth_date, setUp } from '../support/claims.ts';
import { act, book } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { addDevice } from '../support/people.ts';
import { findKeys, secret } from '../support/world.ts';

const hour = 3_600_000;

const refused = { status: 422, body: { code: 'claim_code_invalid' } };

describe('a claim', () => {
  it('takes the record into the family, with its bookings, also for the other parent', async () => {
    const { world, clinic, staff, mother, claim, codeFor, handedOver, familyOf } = await setUp();
    const { id, code } = await handedOver();
    const booked = await book(world, clinic, { patient_id: id }, staff.token);
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
    expect(await claim({ code: typed })).toMatchObject({
      status: 200,
      body: { data: { id, name: 'Bagus Anak', relation: 'child' } },
    });
    expect(await familyOf()).toEqual([mother.id, id]);
    expect((await act(world, mother, booked, 'cancel')).status).toBe(200);
    const second = (await codeFor(id)).body.data.code;
    expect((await claim({ code: second }, clinic.stranger)).status).toBe(200);
    expect(await familyOf(clinic.stranger)).toEqual([clinic.stranger.id, id]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is valid once, also for simultaneous requests', async () => {
    const { clinic, claim, handedOver, familyOf } = await setUp();
    const { code } = await handedOver();
    const { patient, stranger } = clinic;
    const answers = await Promise.all(
      [patient, stranger, patient, stranger].map((who) => claim({ code }, who)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await familyOf(patient)).length + (await familyOf(stranger)).length).toBe(3);
  });

  it('is answered again under its key', async () => {
    const { claim, mother, handedOver } = await setUp();
    const { code } = await handedOver();
    const headers = { 'Idempotency-Key': 'klaim' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim({ code }, mother, headers)));
    for (const { status } of answers) expect(status).toBe(200);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('is answered again under its key where the same request used the code meanwhile', async () => {
    const { world, mother, claim, handedOver, familyOf } = await setUp();
    for (const relation of ['child', 'self']) {
      const { code } = await handedOver();
      const headers = { 'Idempotency-Key': `klaim-${relation}` };
      const ask = () => claim({ code, relation }, mother, headers);
      let first: unknown;
      beforeRoundTrip(world, 2, async () => {
        first = (await ask()).body;
      });
      expect((await ask()).body).toEqual(first);
      world.deps.db = world.db;
    }
    expect(await familyOf()).toHaveLength(2);
  });

  it('fails alike for a wrong code, a wrong date, one’s own code, a used and an old one, and no date', async () => {
    const { world, staff, claim, codeFor, handedOver, familyOf } = await setUp();
    const { code } = await handedOver();
    const answers = [
      await claim({ code: 'AAAAAAAA' }),
      await claim({ code: 'x' }),
      await claim({ code, birth_date: '2019-04-24' }),
      await claim({ code }, staff),
    ];
    expect((await claim({ code })).status).toBe(200);
    answers.push(await claim({ code }));
    const undated = await handedOver();
    const body = { birth_date: null };
    await world.request(`/v1/patients/${undated.id}`, { method: 'PATCH', token: staff.token, body });
    answers.push(await claim({ code: undated.code }));
    const late = await codeFor(undated.id);
    expect(late.body.code).toBe('birth_date_missing');
    const old = await handedOver();
    world.clock.now += 48 * hour;
    const { token } = await addDevice(world, staff.id, 'staff');
    answers.push(await claim({ code: old.code }, { token }));
    const told = answers.map(({ status, body: { request_id: _, ...rest } }) => ({ status, rest }));
    for (const answer of told) expect(answer).toEqual(told[0]);
    expect(answers[0]).toMatchObject(refused);
    expect(await familyOf()).toHaveLength(2);
  });

  it('voids the code at the fifth wrong date, also where they come at once', async () => {
    const { world, claim, handedOver } = await setUp();
    const wrong = { birth_date: '2019-04-24' };
    const first = await handedOver();
    for (let tries = 0; tries < 4; tries++) await claim({ code: first.code, ...wrong });
    expect((await claim({ code: first.code })).status).toBe(200);
    const { id, code } = await handedOver();
    await Promise.all(Array.from({ length: 12 }, () => claim({ code, ...wrong })));
    expect(await claim({ code })).toMatchObject(refused);
    const [row] = await world.db.select().from(claimCodes).where(eq(claimCodes.patientId, id));
    expect(row).toMatchObject({ failures: 5, usedAt: null });
  });

  it('is accepted in a family of up to ten, ten times a year', async () => {
    const { world, mother, claim, handedOver, familyOf } = await setUp();
    const times = { relation: 'child' as const, createdAt: world.clock.now };
    const ids: string[] = [];
    for (let number = 1; number <= 10; number++) {
      const { id, code } = await handedOver();
      ids.push(id);
      if (number < 10)
        await world.db.insert(familyRelations).values({ accountId: mother.id, patientId: id, ...times });
      else expect((await claim({ code })).status).toBe(200);
    }
    expect(await familyOf()).toHaveLength(11);
    const { code } = await handedOver();
    expect(await claim({ code })).toMatchObject({ status: 409, body: { code: 'family_full' } });
    await world.request(`/v1/family/${ids[0]}`, { method: 'DELETE', token: mother.token });
    expect((await claim({ code })).body.code).toBe('family_full');
    await world.db.update(familyRelations).set({ createdAt: world.clock.now - 366 * 24 * hour });
    expect((await claim({ code })).status).toBe(200);
  });

  it('with self merges the record into the own one, and its bookings with it', async () => {
    const { world, clinic, staff, mother, claim, handedOver, familyOf } = await setUp();
    const { id, code } = await handedOver({ national_id: '3171234567890001' });
    const booked = await book(world, clinic, { patient_id: id }, staff.token);
    const headers = { 'Idempotency-Key': 'diri-sendiri' };
    const first = await claim({ code, relation: 'self' }, mother, headers);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { id: mother.id, relation: 'self', birth_date, national_id: '3171••••••••0001' } },
    });
    expect((await claim({ code, relation: 'self' }, mother, headers)).body).toEqual(first.body);
    expect(await familyOf()).toEqual([mother.id]);
    const [row] = await world.db.select().from(bookings).where(eq(bookings.id, booked));
    expect(row).toMatchObject({ patientId: mother.id, version: 2 });
    const read = await world.request(`/v1/patients/${id}`, { token: staff.token });
    expect(read.body.data).toMatchObject({ id: mother.id, email: mother.email });
    expect(await claim({ code, relation: 'self' })).toMatchObject(refused);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('with self is refused for a record with a login, and where both are booked at the same time', async () => {
    const { world, clinic, staff, mother, claim, codeFor, handedOver } = await setUp();
    const body = { birth_date };
    for (const { id } of [clinic.stranger, mother])
      await world.request(`/v1/patients/${id}`, { method: 'PATCH', token: staff.token, body });
    const theirs = (await codeFor(clinic.stranger.id)).body.data.code;
    expect((await claim({ code: theirs, relation: 'self' })).body.code).toBe('patient_has_account');
    expect((await claim({ code: theirs, relation: 'spouse' })).status).toBe(200);
    const own = (await codeFor(mother.id)).body.data.code;
    for (const relation of ['self', 'child'])
      expect((await claim({ code: own, relation })).body.code).toBe('patient_has_account');
    const { id, code } = await handedOver();
    const source = await book(world, clinic, { patient_id: id }, staff.token);
    const into = await book(world, clinic);
    expect((await claim({ code, relation: 'self' })).body).toMatchObject({
      code: 'merge_conflict',
      conflicts: [{ source: { id: source }, into: { id: into } }],
    });
    await act(world, mother, into, 'cancel');
    expect((await claim({ code, relation: 'self' })).status).toBe(200);
  });

  it('is throttled as a login is', async () => {
    const { claim, handedOver } = await setUp({ RATE_LIMIT: 'on' });
    const { code } = await handedOver();
    for (let tries = 0; tries < 5; tries++) expect(await claim({ code: 'AAAAAAAA' })).toMatchObject(refused);
    const answer = await claim({ code });
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it('holds for a code that was made before the secret was changed', async () => {
    const { world, mother, handedOver } = await setUp();
    const { id, code } = await handedOver();
    const keys = await createTokenKeys(await findKeys('another-secret-of-tests-0123456789-abcdef', secret));
    const app = createApp({ ...world.deps, tokenKeys: keys });
    const answer = await app.request('http://localhost/v1/family/claim', {
      method: 'POST',
      headers: { Authorization: `Bearer ${mother.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, birth_date, relation: 'child' }),
    });
    expect(await answer.json()).toMatchObject({ data: { id } });
  });

  it('is in the audit trail: the code, its refusals and its use, only by ids', async () => {
    const { world, staff, mother, claim, handedOver } = await setUp();
    const { id, code } = await handedOver();
    await claim({ code, birth_date: '2019-04-24' });
    await claim({ code });
    const rows = (await world.db.select().from(securityEvents)).filter(({ type }) => type.includes('claim'));
    expect(rows.map(({ type, actorId, detail }) => [type, actorId, JSON.parse(detail ?? '')])).toEqual([
      ['claim_code_made', staff.id, { patient_id: id }],
      ['claim_code_refused', mother.id, { patient_id: id }],
      ['patient_claimed', mother.id, { patient_id: id }],
    ]);
  });
});
