import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { sealTrail } from '../../../src/modules/auth/audit/seal.ts';
import { verifyBlocks } from '../../../src/modules/auth/audit/verify.ts';
import { createPerson } from '../../support/people.ts';
import { openStress, report } from './stress.ts';
import { traces } from './unruly-database.ts';

// The reception reads records and lists, by two processes at once, while three seal the trail, over a database whose round
// trips take their time and whose answers get lost. Whatever was shown has its line, and the lines make one chain.

const stress = await openStress({});
const { app, db, world, clock, deps, random } = stress;
const tally = { acknowledged: 0, refused: 0 };

const staff = [await createPerson(world, 'staff'), await createPerson(world, 'staff')] as const;
const patients = [await createPerson(world), await createPerson(world), await createPerson(world)];
/** How often each record was shown. */
const shown = new Map<string, number>();
const lists = new Set<string>();

const read = async (path: string, token: string): Promise<boolean> => {
  const trace = { firstSent: 0, lastSent: 0 };
  const headers = { Authorization: `Bearer ${token}` };
  const { status } = await traces.run(trace, () => app.request(`http://localhost${path}`, { headers }));
  if (status === 200) tally.acknowledged += 1;
  else tally.refused += 1;
  return status === 200;
};

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const readOne = async (): Promise<void> => {
  const { token, id: reader } = pick(staff);
  if (random() < 0.4) {
    const key = `${reader} ${Math.floor(clock.now / 3_600_000)}`;
    if (await read('/v1/patients?q=orang', token)) lists.add(key);
    return;
  }
  const { id } = pick(patients);
  if (await read(`/v1/patients/${id}`, token)) shown.set(id, (shown.get(id) ?? 0) + 1);
};

const sealOnce = (): Promise<unknown> => {
  const trace = { firstSent: 0, lastSent: 0 };
  return traces.run(trace, () => sealTrail(deps, clock.now)).catch(() => {});
};

const round = async (): Promise<string[]> => {
  clock.now += 600_000;
  await Promise.all([...Array.from({ length: 8 }, readOne), sealOnce(), sealOnce(), sealOnce()]);
  const lines = await db.select().from(securityEvents);
  const unwritten = [...shown].filter(
    ([id, times]) => lines.filter(({ patientId }) => patientId === id).length < times,
  );
  const listed = lines.filter(({ type }) => type === 'list_read').length;
  const violations = unwritten.map(([id, times]) => `${id} was shown ${times} times, and has fewer lines`);
  if (listed < lists.size) violations.push(`${lists.size} lists were shown, and ${listed} have a line`);
  const hours = new Set(
    lines
      .filter(({ type }) => type === 'list_read')
      .map(({ actorId, occurredAt }) => `${actorId} ${Math.floor(occurredAt / 3_600_000)}`),
  );
  if (listed > hours.size) violations.push(`a list has ${listed} lines in ${hours.size} hours`);
  const { findings } = await verifyBlocks({ ...deps, db }, clock.now, {
    after: 0,
    maxBlocks: 100_000,
    maxLines: 1_000_000,
  });
  return [...violations, ...findings.map(({ kind, block }) => `${kind} ${block}`)];
};

await report(stress, round, () => ({ ...tally, lost: stress.tally.lost }));
