import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { deviceLogins, refreshTokens, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingsAStep } from '../../src/modules/patients/merge/rules.ts';
import { bookingInput } from '../support/clinic.ts';
import { everybodyConfirms } from '../support/factors.ts';
import { beforeRoundTrip, loseAnswer } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { createTwice } from '../support/joining.ts';
import { ask, codeIn, verify } from '../support/phone-codes.ts';
import { password } from '../support/world.ts';

type Twice = Awaited<ReturnType<typeof createTwice>>;

const other = '0813-1111-2222';

const changePhone = async (twice: Twice, token: string) => {
  const { world, settle, phones } = twice;
  await world.request('/v1/auth/phone/change', { token, body: { phone: other } });
  await settle();
  const body = { phone: other, code: codeIn(phones) };
  return () => world.request('/v1/auth/phone/change/verify', { token, body });
};

/** What somebody does meanwhile with one of the two accounts; each gives the act, once what it needs is there. */
const acts: Record<string, (twice: Twice) => Promise<() => Promise<{ status: number }>>> = {
  'a login by password': async ({ world, byMail }) => {
    const body = { email: byMail.email, password };
    return () => world.request('/v1/auth/login', { body });
  },
  'a login by a code': async ({ phones }) => {
    await ask(phones);
    const code = codeIn(phones);
    return () => verify(phones, { code });
  },
  'a refresh': async ({ world, byMail }) => {
    const body = { refresh_token: byMail.refreshToken };
    return () => world.request('/v1/auth/refresh', { body });
  },
  'a booking': async ({ world, clinic, byMail }) => {
    const body = bookingInput(clinic.practice, { schedule_time: '10:00:00' });
    return () => world.request('/v1/bookings', { token: byMail.token, body });
  },
  'a change of the phone of the one': (twice) => changePhone(twice, twice.byMail.token),
  'a change of the phone of the other': (twice) => changePhone(twice, twice.byPhone.token),
  'a new member of the family': async ({ world, byMail }) => {
    const body = { name: 'Anak Putri', birth_date: '2019-04-23', relation: 'child' };
    return () => world.request('/v1/family', { token: byMail.token, body });
  },
  'its deletion': async ({ world, byMail }) => {
    return () => world.request('/v1/auth/account', { method: 'DELETE', token: byMail.token });
  },
  'the join the other way': async ({ join, byMail, byPhone }) => {
    return () => join(byPhone.id, byMail.id);
  },
  'the same join': async ({ join, byMail, byPhone }) => {
    return () => join(byMail.id, byPhone.id);
  },
};

/** One account is left, with everything, and nothing opens or belongs to the other. */
const assertJoined = async ({ world, byMail, byPhone }: Twice) => {
  const ids = [byMail.id, byPhone.id];
  const left = (await world.db.select().from(users)).map(({ id }) => id).filter((id) => ids.includes(id));
  const rows = await world.db.select().from(patients);
  const merged = rows.filter(({ id, mergedInto }) => ids.includes(id) && mergedInto !== null);
  expect(await findViolations(world.db)).toEqual([]);
  if (merged.length === 0) return left;
  expect([left.length, merged.length]).toEqual([1, 1]);
  expect(merged[0]?.mergedInto).toBe(left[0]);
  const logins = await world.db.select().from(deviceLogins);
  expect(logins.filter(({ userId }) => userId === merged[0]?.id)).toEqual([]);
  const tokens = await world.db.select().from(refreshTokens);
  const known = new Set(logins.map(({ id }) => id));
  expect(tokens.filter(({ deviceLoginId }) => !known.has(deviceLoginId))).toEqual([]);
  const visits = await world.db.select().from(bookings);
  expect(visits.filter(({ patientId }) => patientId === merged[0]?.id)).toEqual([]);
  return left;
};

/** More visits than one step takes. */
const bookMany = async ({ world, clinic, byMail }: Twice) => {
  for (let made = 0; made < bookingsAStep + 3; made++) {
    const minutes = 8 * 60 + Math.floor(made / 5) * 30;
    const hour = String(Math.floor(minutes / 60)).padStart(2, '0');
    const fields = {
      schedule_date: `2026-11-${24 + (made % 5)}`,
      schedule_time: `${hour}:${minutes % 60 === 0 ? '00' : '30'}:00`,
      patient_id: byMail.id,
    };
    const body = bookingInput(clinic.practice, fields);
    const { status } = await world.request('/v1/bookings', { token: clinic.staff.token, body });
    expect(status).toBe(201);
  }
};

/** The process ends between the first step of the join and the second. */
const joinHalf = async ({ world, join, byMail, byPhone }: Twice) => {
  beforeRoundTrip(world, 6, () => Promise.reject(new Error('the process is gone')));
  world.deps.log.error = () => {};
  expect((await join(byMail.id, byPhone.id)).status).toBe(500);
  world.deps.db = world.db;
};

describe('the join of two accounts is one with what happens meanwhile', () => {
  it.each(Object.keys(acts))('%s, before any of its round trips', async (name) => {
    for (const nth of [2, 3, 4]) {
      const twice = await createTwice();
      const { world, join, bookAs, byMail, byPhone, accountOf } = twice;
      await bookAs(byMail.token);
      const act = (await acts[name]?.(twice)) ?? (async () => ({ status: 0 }));
      await everybodyConfirms(world);
      let acted = 0;
      beforeRoundTrip(world, nth, async () => {
        acted = (await act()).status;
      });
      const answer = await join(byMail.id, byPhone.id);
      expect(answer.status === 503 ? answer.body : answer.status, `${name} ${nth}`).toBeLessThan(500);
      const left = await assertJoined(twice);
      if (answer.status === 200 && name !== 'the join the other way') expect(left).toEqual([byPhone.id]);
      // Whoever proves a phone meanwhile keeps it.
      if (name === 'a change of the phone of the other')
        expect([acted, (await accountOf(byPhone.id))?.loginPhone]).toEqual([200, '6281311112222']);
    }
  });

  it.each(Object.keys(acts).filter((name) => !name.includes('join')))(
    'the join, before any round trip of %s',
    async (name) => {
      for (const nth of [2, 3, 4]) {
        const twice = await createTwice();
        const { world, join, bookAs, byMail, byPhone } = twice;
        await bookAs(byMail.token);
        const act = (await acts[name]?.(twice)) ?? (async () => ({ status: 0 }));
        await everybodyConfirms(world);
        let joined = 0;
        const seen = beforeRoundTrip(world, nth, async () => {
          joined = (await join(byMail.id, byPhone.id)).status;
        });
        const { status } = await act();
        if (seen.roundTrips < nth) break;
        expect(status, `${name} ${nth}`).toBeLessThan(500);
        const left = await assertJoined(twice);
        if (joined === 200) expect(left).toEqual([byPhone.id]);
      }
    },
  );

  it('lets whoever proved the phone of the account that ends into the one that stays', async () => {
    for (const nth of [1, 2, 3]) {
      const twice = await createTwice();
      const { phones, world, join, byMail, byPhone } = twice;
      await ask(phones);
      const code = codeIn(phones);
      let joined = 0;
      beforeRoundTrip(world, nth, async () => {
        joined = (await join(byPhone.id, byMail.id)).status;
      });
      const { status, body } = await verify(phones, { code });
      // The join uses up a code that nobody has typed yet.
      const spent = status === 401 && body.code === 'login_code_invalid';
      expect([joined, spent ? byMail.id : body.data?.user.id], `${nth}`).toEqual([200, byMail.id]);
      expect(spent, `${nth}`).toBe(nth < 3);
      expect(await assertJoined(twice)).toEqual([byMail.id]);
    }
  });

  it('decides again where an account changes meanwhile, though its record does not', async () => {
    for (const nth of [3, 4]) {
      const proving = await createTwice();
      const prove = await changePhone(proving, proving.byMail.token);
      let proved = 0;
      beforeRoundTrip(proving.world, nth, async () => {
        proved = (await prove()).status;
      });
      const { body } = await proving.join(proving.byPhone.id, proving.byMail.id);
      expect([proved, body.data.accounts.taken]).toEqual([200, []]);
      expect((await proving.accountOf(proving.byMail.id))?.loginPhone).toBe('6281311112222');

      const hired = await createTwice();
      beforeRoundTrip(hired.world, nth, () => hired.at(hired.byPhone.id, { role: 'staff' }));
      const refused = await hired.join(hired.byPhone.id, hired.byMail.id);
      expect(refused.body.code).toBe('patient_works_here');
      expect(await hired.accountOf(hired.byPhone.id)).toBeDefined();
    }
  });

  it('once, by requests that come at once, from both sides and again under one key', async () => {
    const twice = await createTwice();
    const { world, join, bookAs, byMail, byPhone } = twice;
    await bookAs(byMail.token);
    const headers = { 'Idempotency-Key': 'gabung-akun' };
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => join(byMail.id, byPhone.id, {}, headers)),
      join(byPhone.id, byMail.id),
    ]);
    // The other way round is too late, or names a record that leads to itself.
    expect(new Set(answers.slice(0, 4).map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect([200, 409, 422]).toContain(answers[4]?.status);
    expect(await assertJoined(twice)).toHaveLength(1);
    const lines = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'accounts_joined',
    );
    expect(lines).toHaveLength(1);
  });

  it('goes on after a crash between its steps, with more visits than one step takes', async () => {
    const twice = await createTwice();
    const { world, join, byMail, byPhone } = twice;
    await bookMany(twice);
    await joinHalf(twice);
    // The account has ended; what is left of its record is merged by the same request.
    expect(await findViolations(world.db)).toEqual([]);
    expect((await world.request('/v1/auth/profile', { token: byMail.token })).status).toBe(401);
    const again = await join(byMail.id, byPhone.id);
    expect(again.body.data).toMatchObject({ bookings: 3, accounts: null });
    expect(await assertJoined(twice)).toEqual([byPhone.id]);
    const rows = await world.db.select().from(bookings);
    expect(new Set(rows.map(({ patientId }) => patientId))).toEqual(new Set([byPhone.id]));
  });

  it('writes nothing again where its answer was lost, and what changed since stays', async () => {
    const twice = await createTwice();
    const { world, join, byMail, byPhone, accountOf, clinic } = twice;
    let changed: (number | string)[] = [];
    loseAnswer(world, 4, async () => {
      const taken = await accountOf(byPhone.id);
      const desk = { token: clinic.staff.token, method: 'PATCH' as const };
      const body = { name: 'Putri Baru', phone_number: '81355500001' };
      const { status } = await world.request(`/v1/patients/${byPhone.id}`, { ...desk, body });
      await twice.at(byPhone.id, { loginPhone: null, phoneProvedAt: null });
      changed = [taken?.email ?? '', status];
    });
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    expect(changed).toEqual([byMail.email, 200]);
    expect(await accountOf(byPhone.id)).toMatchObject({
      email: byMail.email,
      loginPhone: null,
      phoneNumber: '81355500001',
    });
    const [row] = await world.db.select().from(patients).where(eq(patients.id, byPhone.id));
    expect(row?.phoneNumber).toBe('81355500001');
    expect(JSON.parse(row?.words ?? '[]')).toContain('baru');
    expect(await assertJoined(twice)).toEqual([byPhone.id]);
    expect(world.mails.filter(({ to }) => to === byMail.email)).toHaveLength(1);
  });

  it('keeps the number that its first step took, though a merge had read the record before', async () => {
    const twice = await createTwice();
    const { world, clinic, at, byPhone, accountOf } = twice;
    const none = { phoneNumber: '', phoneCountryCode: '' };
    await at(byPhone.id, none);
    await world.db.update(patients).set(none).where(eq(patients.id, byPhone.id));
    await bookMany(twice);
    const record = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: {
        name: 'Putri A. Lestari',
        phone_number: '81355500001',
        phone_country_code: '62',
        confirm: true,
      },
    });
    beforeRoundTrip(world, 4, () => joinHalf(twice));
    const merged = await world.request(`/v1/patients/${record.body.data.id}/merge`, {
      token: clinic.staff.token,
      body: { into: byPhone.id },
    });
    expect(merged.status).toBe(200);
    const [row] = await world.db.select().from(patients).where(eq(patients.id, byPhone.id));
    expect(row?.phoneNumber).toBe('81399990000');
    expect((await accountOf(byPhone.id))?.phoneNumber).toBe('81399990000');
    expect(await findViolations(world.db)).toEqual([]);
  });
});
