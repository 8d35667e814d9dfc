import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { claimCodes } from '../../src/core/tables/patients.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { birth_date, setUp } from '../support/claims.ts';

const hour = 3_600_000;

describe('a code that links a record', () => {
  it('has eight letters and digits, is valid for 48 hours, and is stored only as a hash', async () => {
    const { world, handedOver } = await setUp();
    const { code } = await handedOver();
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{8}$/);
    const [row] = await world.db.select().from(claimCodes);
    expect(row?.expiresAt).toBe(world.clock.now + 48 * hour);
    const stored = [await world.db.select().from(claimCodes), await world.db.select().from(securityEvents)];
    expect(JSON.stringify(stored)).not.toContain(code);
  });

  it('is shown once: a repeat under its key is answered that the key is used up', async () => {
    const { world, add, codeFor } = await setUp();
    const id = await add();
    const headers = { 'Idempotency-Key': 'kode' };
    const { code } = (await codeFor(id, headers)).body.data;
    const again = { status: 409, body: { code: 'idempotency_key_spent' } };
    const repeats = await Promise.all(Array.from({ length: 4 }, () => codeFor(id, headers)));
    for (const repeat of repeats) expect(repeat).toMatchObject(again);
    expect(await world.db.select().from(claimCodes)).toHaveLength(1);
    expect(JSON.stringify(await world.db.select().from(replays))).not.toContain(code);
    expect((await codeFor(await add(), headers)).body.code).toBe('idempotency_key_reused');
  });

  it('is made once by requests that come at once under one key', async () => {
    const { world, add, codeFor } = await setUp();
    const id = await add();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => codeFor(id, { 'Idempotency-Key': 'sekali' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'idempotency_key_spent')).toHaveLength(5);
    expect(await world.db.select().from(claimCodes)).toHaveLength(1);
  });

  it('waits for a date of birth, and is nobody’s to make but staff’s and admins’', async () => {
    const { world, clinic, staff, add, codeFor } = await setUp();
    const id = await add({ birth_date: undefined, phone_number: '81399900001' });
    expect((await codeFor(id)).body.code).toBe('birth_date_missing');
    const body = { birth_date };
    await world.request(`/v1/patients/${id}`, { method: 'PATCH', token: staff.token, body });
    expect((await codeFor(id)).status).toBe(201);
    expect((await codeFor(id, {}, clinic.admin)).status).toBe(201);
    expect((await codeFor(id, {}, clinic.doctor)).status).toBe(403);
    expect((await codeFor(id, {}, clinic.patient)).status).toBe(403);
    expect((await codeFor(clinic.admin.id)).status).toBe(404);
  });

  it('is swept when it is over', async () => {
    const { world, handedOver } = await setUp();
    await handedOver();
    world.clock.now += 73 * hour;
    await runJobs(world.deps);
    expect(await world.db.select().from(claimCodes)).toEqual([]);
  });
});
