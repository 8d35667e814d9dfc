import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { doctors, sessions } from '../../../src/core/tables/catalog.ts';
import { apiKeys } from '../../../src/core/tables/keys.ts';
import { checkExchanges } from '../../../src/runtime/node/checks/exchange.ts';
import { createBpjsClinic } from '../../support/peers/mobile-jkn.ts';
import { createWorld } from '../../support/world.ts';

it('check says what Mobile JKN still needs, a line each, and nothing where it is off', async () => {
  const { world, clinic, key } = await createBpjsClinic('fktp');
  const lines = async () =>
    (await checkExchanges(world.db, world.deps.config, world.clock.now))
      .filter((finding) => JSON.stringify(finding).includes('Mobile JKN'))
      .map((finding) => JSON.stringify(finding));
  expect(await lines()).toEqual([expect.stringContaining('it is answered below /bpjs/fktp')]);
  const { doctorId, sessionId } = clinic.practice;
  await world.db.update(apiKeys).set({ revokedAt: 1 }).where(eq(apiKeys.id, key.id));
  await world.db.update(doctors).set({ bpjsDoctorCode: null }).where(eq(doctors.id, doctorId));
  expect(await lines()).toEqual([
    expect.stringContaining('no API key has the scope antrean:write'),
    expect.stringContaining('doctors without a bpjs_doctor_code: 1'),
  ]);
  await world.db.update(sessions).set({ bpjsFktpCode: null }).where(eq(sessions.id, sessionId));
  expect((await lines())[1]).toContain('no session has a bpjs_fktp_code');
  const off = await createWorld();
  expect(await checkExchanges(off.db, off.deps.config, off.clock.now)).toEqual([]);
});
