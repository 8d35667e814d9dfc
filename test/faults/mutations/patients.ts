import { bookings } from '../../../src/core/tables/bookings.ts';
import { familyRelations, patients } from '../../../src/core/tables/patients.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { type Member, openClinic, type Slot } from './clinic.ts';
import { openStress, report } from './stress.ts';
import { traces } from './unruly-database.ts';

// Records that are merged while the desk and a mother book for them, families that grow at once, and numbers that
// several type at once, over a database whose round trips take their time and whose answers get lost.

const stress = await openStress({ MAX_LIVE_BOOKINGS: '0' });
const clinic = await openClinic(stress);
const { random, app, db } = stress;
const [desk, helper] = clinic.staff;
const violations: string[] = [];
const tally = { acknowledged: 0, merged: 0, refused: 0 };
const birth_date = '2019-04-23';
const slots = clinic.slots;

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a stress reads whatever JSON came.
  body: any;
}

/** Sends under a key until it is answered. */
const ask = async ({ token }: Member, path: string, body: object, method = 'POST'): Promise<Answered> => {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  };
  for (let tries = 1; tries <= 40; tries++) {
    const sent = { method, headers, body: JSON.stringify(body) };
    const trace = { firstSent: 0, lastSent: 0 };
    const response = await traces.run(trace, () => app.request(`http://localhost${path}`, sent));
    const answer = { status: response.status, body: (await response.json()) as Answered['body'] };
    if (answer.status === 503) continue;
    if (answer.status >= 500) violations.push(`${path} was answered ${answer.status}`);
    if (answer.status < 300) tally.acknowledged += 1;
    else tally.refused += 1;
    return answer;
  }
  throw new Error(`${path} was never answered`);
};

const addPatient = async (fields: object = {}) =>
  (await ask(desk, '/v1/patients', { name: 'Anak', birth_date, confirm: true, ...fields })).body.data.id;

const book = async (by: Member, patient_id: string, made: string[]): Promise<void> => {
  const { minutes: _, capacity: __, ...slot }: Slot = pick(slots);
  const answer = await ask(by, '/v1/bookings', { ...slot, patient_id });
  if (answer.status !== 201) return;
  made.push(answer.body.data.id);
  if (random() < 0.5) await ask(helper, `/v1/bookings/${answer.body.data.id}/approve`, {});
};

const mergeMeanwhile = async (mother: Member): Promise<void> => {
  const [source, target] = [await addPatient(), await addPatient()];
  const made: string[] = [];
  await Promise.all([book(desk, source, made), book(desk, source, made)]);
  const code = await app.request(`http://localhost/v1/patients/${source}/claim-code`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${desk.token}` },
  });
  if (code.status === 201) {
    const { data } = (await code.json()) as { data: { code: string } };
    await ask(mother, '/v1/family/claim', { code: data.code, birth_date, relation: 'child' });
  }
  const merging = [desk, helper].map((by) => ask(by, `/v1/patients/${source}/merge`, { into: target }));
  const booking = [desk, helper, mother, desk].map((by, at) => book(by, at === 3 ? target : source, made));
  const changing = made.map(async (id) => {
    await ask(helper, `/v1/bookings/${id}/approve`, {});
    // Versions that follow each other closely: one of them may come between the reading and the moving.
    for (let version = 1; version <= 4; version++)
      await ask(helper, `/v1/bookings/${id}`, { staff_notes: `Catatan ${version}` }, 'PATCH');
  });
  await Promise.all([...merging, ...booking, ...changing]);
  if ((await Promise.all(merging)).some(({ status }) => status === 200)) tally.merged += 1;
  violations.push(...findProblems(stress.path));
  for (const id of made) await ask(desk, `/v1/bookings/${id}/cancel`, {});
};

/** Two records wait, for the same or not, and get what two others give back, while one is merged into the other. */
const mergeWaiting = async (): Promise<void> => {
  const [source, target, holder] = [await addPatient(), await addPatient(), await addPatient()];
  const [{ doctor_id, session_id }, ...rest] = slots as [Slot, ...Slot[]];
  const other = pick(rest.filter((slot) => slot.session_id === session_id));
  const given: string[] = [];
  const wish = async (patient_id: string, { schedule_date: day, schedule_time: time }: Slot, more = {}) => {
    const when = { from: day, to: day, earliest_time: time, latest_time: time };
    await ask(desk, '/v1/waitlist', { session_id, patient_id, ...when, ...more });
  };
  for (const { minutes: _, capacity: __, ...slot } of [slots[0] as Slot, other]) {
    const answer = await ask(desk, '/v1/bookings', { ...slot, patient_id: holder });
    if (answer.status === 201) given.push(answer.body.data.id);
  }
  await wish(source, slots[0] as Slot);
  await wish(target, other, random() < 0.5 ? {} : { doctor_id });
  await Promise.all([
    ...[desk, helper].map((by) => ask(by, `/v1/patients/${source}/merge`, { into: target })),
    ...given.map((id) => ask(helper, `/v1/bookings/${id}/cancel`, {})),
  ]);
  violations.push(...findProblems(stress.path));
  for (const { id, patientId, endedAt } of await db.select().from(waitlistEntries))
    if (endedAt === null && [source, target].includes(patientId))
      await ask(desk, `/v1/waitlist/${id}`, {}, 'DELETE');
};

const growAtOnce = async (): Promise<void> => {
  const person = await createPerson(stress.world);
  const child = { name: 'Anak', birth_date, relation: 'child' };
  await Promise.all(Array.from({ length: 13 }, () => ask(person, '/v1/family', child)));
  const own = (await db.select().from(familyRelations)).filter(({ accountId }) => accountId === person.id);
  if (own.length !== 10) violations.push(`a family has ${own.length} of 10`);
};

let numbers = 0;
const typeAtOnce = async (): Promise<void> => {
  numbers += 1;
  const national_id = String(3_171_000_000_000_000 + numbers);
  const name = `Kembar ${numbers}`;
  const body = { name, national_id };
  await Promise.all([desk, helper, desk, helper].map((by) => ask(by, '/v1/patients', body)));
  const twins = (await db.select().from(patients)).filter((row) => row.name === name);
  if (twins.length !== 1) violations.push(`a confirmed number belongs to ${twins.length} records`);
};

/** Somebody leaves while they, and the desk for them, still book. */
const leaveMeanwhile = async (): Promise<void> => {
  const person = await createPerson(stress.world);
  const made: string[] = [];
  for (let tries = 0; made.length === 0 && tries < 5; tries++) await book(desk, person.id, made);
  const leaving = ask(person, '/v1/auth/account', {}, 'DELETE');
  const by = [desk, person, helper, desk, person, helper];
  await Promise.all([leaving, ...by.map((one) => book(one, person.id, made))]);
  // Refused as by a stranger where the answer to the first try was lost.
  const { status } = await leaving;
  if (status !== 200 && status !== 401) violations.push(`a deletion was answered ${status}`);
  const live = (await db.select().from(bookings)).filter(
    ({ patientId, status: state }) => patientId === person.id && state !== 'canceled',
  );
  if (live.length > 0) violations.push(`${live.length} bookings stay live under nobody`);
};

const round = async (): Promise<string[]> => {
  const mothers = clinic.patients.slice(0, 3);
  await Promise.all([
    ...mothers.map(mergeMeanwhile),
    mergeWaiting(),
    growAtOnce(),
    typeAtOnce(),
    leaveMeanwhile(),
    leaveMeanwhile(),
  ]);
  return [...violations, ...findProblems(stress.path)];
};

await report(stress, round, () => ({ ...tally, lost: stress.tally.lost }));
