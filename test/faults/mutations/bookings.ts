import { setTimeout as sleep } from 'node:timers/promises';
import { eq, ne } from 'drizzle-orm';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { apiKeys } from '../../../src/core/tables/keys.ts';
import { maxOverbooked } from '../../../src/modules/booking/seats/decision.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { differencesFrom } from '../../support/faults/acknowledged.ts';
import { dates, type Member, openClinic, type Slot } from './clinic.ts';
import { openOrders } from './orders.ts';
import { openStress, report } from './stress.ts';
import { tick } from './unruly-database.ts';

// Patients, staff and an admin act at the same time, on a database whose round trips are slow and whose answers get
// lost. After each round, the database is compared with the acknowledged results.

const maxUpcoming = 4;
const stress = await openStress({ MAX_LIVE_BOOKINGS: String(maxUpcoming) });
const clinic = await openClinic(stress);
const orders = openOrders(stress);
const { random, app, db } = stress;

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const several = () => (random() < 0.4 ? 2 + Math.floor(random() * 2) : 1);
const slotInputOf = ({ doctor_id, session_id, schedule_date, schedule_time }: Slot) => ({
  doctor_id,
  session_id,
  schedule_date,
  schedule_time,
});

/** The bookings that each patient's answers acknowledged. */
const held = new Map<Member, Set<string>>(clinic.patients.map((member) => [member, new Set()]));
const heldBy = (member: Member) => held.get(member) as Set<string>;

const create = async (member: Member, slot = pick(clinic.slots)): Promise<void> => {
  const { done } = orders.place(member, '/v1/bookings', { ...slotInputOf(slot), notes: 'x' }, several());
  const answer = await done;
  if (answer.status === 201) heldBy(member).add(answer.body.data.id);
};

const cancel = async (member: Member, id: string, by = member): Promise<void> => {
  const answer = await orders.place(by, `/v1/bookings/${id}/cancel`, {}, several()).done;
  if (answer.status === 200) heldBy(member).delete(id);
};

const move = async (id: string, by: Member): Promise<void> => {
  await orders.place(by, `/v1/bookings/${id}/reschedule`, slotInputOf(pick(clinic.slots)), several()).done;
};

const approve = async (id: string, by: Member): Promise<void> => {
  await orders.place(by, `/v1/bookings/${id}/approve`, {}, several()).done;
};

/** Canceled while the same order is still on its way a second and a third time. */
const createAndCancelBetween = async (member: Member): Promise<void> => {
  const { first, done } = orders.place(member, '/v1/bookings', slotInputOf(pick(clinic.slots)), 3);
  const made = await first;
  if (made !== null) await cancel(member, made.body.data.id);
  await done;
};

const bookSeveralAtOnce = async (member: Member): Promise<void> => {
  await Promise.all(Array.from({ length: 3 }, () => create(member)));
};

const changeAtOnce = async (member: Member): Promise<void> => {
  const id = [...heldBy(member)].at(-1);
  if (id === undefined) return create(member);
  const by = [member, ...clinic.staff];
  await Promise.all([
    move(id, pick(by)),
    approve(id, pick(clinic.staff)),
    random() < 0.5 ? move(id, pick(by)) : cancel(member, id, pick(by)),
  ]);
};

const giveUpOne = async (member: Member): Promise<void> => {
  for (const id of [...heldBy(member)].slice(0, 2)) await cancel(member, id);
};

const logOutMeanwhile = async (member: Member): Promise<void> => {
  const under = [create(member), ...[...heldBy(member)].slice(0, 1).map((id) => move(id, member))];
  await sleep(random() * 3);
  await Promise.all([...under, orders.logOutAndIn(member)]);
};

const again = async (member: Member): Promise<void> => {
  const own = orders.settled.filter(
    ({ order, answer }) => order.userId === member.id && order.key !== null && answer.status < 300,
  );
  if (own.length === 0) return;
  const { order, answer } = pick(own);
  await orders.repeat(order, member.token, answer);
  const other = random() < 0.5 ? { path: '/v1/bookings' } : {};
  await orders.misuse(order, member.token, {
    ...other,
    body: { ...slotInputOf(pick(clinic.slots)), notes: 'y' },
  });
};

const verbs = [
  create,
  create,
  bookSeveralAtOnce,
  createAndCancelBetween,
  changeAtOnce,
  changeAtOnce,
  giveUpOne,
  giveUpOne,
  logOutMeanwhile,
  again,
];

const askAdmin = async (method: string, path: string, body?: object) => {
  const headers = { Authorization: `Bearer ${clinic.admin.token}`, 'Content-Type': 'application/json' };
  const response = await app.request(`http://localhost/v1/admin/closures${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status >= 300) throw new Error(`The closure was answered ${response.status}`);
  return (await response.json()) as { data: { id: string } };
};

/** Closes a doctor's day or everybody's while patients reach for it, and opens it again. */
const closeForAWhile = async (): Promise<void> => {
  const doctorId = random() < 0.5 ? pick(clinic.doctorIds) : null;
  const date = pick(dates);
  const reached = clinic.slots.filter(
    (slot) => slot.schedule_date === date && (doctorId === null || slot.doctor_id === doctorId),
  );
  const reaching = clinic.patients.slice(0, 6).map((member) => create(member, pick(reached)));
  await sleep(random() * 3);
  const { data } = await askAdmin('POST', '', { doctor_id: doctorId, name: 'Cuti', start_date: date });
  const barrier = orders.raise({ doctorId, date });
  await Promise.all(reaching);
  barrier.until = tick();
  await askAdmin('DELETE', `/${data.id}`);
};

/** Takes one of the staff the role while changes of theirs are on their way, and gives it back. */
const demoteForAWhile = async (): Promise<void> => {
  const [, member] = clinic.staff;
  const ids = clinic.patients.flatMap((patient) => [...heldBy(patient)]).slice(0, 6);
  const changing = ids.map((id, at) => (at % 2 === 0 ? approve(id, member) : move(id, member)));
  await sleep(random() * 3);
  await db.update(users).set({ role: 'patient' }).where(eq(users.id, member.id));
  const barrier = orders.raise({ userId: member.id });
  await Promise.all(changing);
  barrier.until = tick();
  await db.update(users).set({ role: 'staff' }).where(eq(users.id, member.id));
};

/** Revokes the clinic's key while changes of its machine are on their way, and lets it hold again. */
const revokeForAWhile = async (): Promise<void> => {
  const { machine } = clinic;
  const ids = clinic.patients.flatMap((patient) => [...heldBy(patient)]).slice(0, 6);
  const changing = ids.map((id, at) => (at % 2 === 0 ? approve(id, machine) : move(id, machine)));
  await sleep(random() * 3);
  await db.update(apiKeys).set({ revokedAt: stress.clock.now }).where(eq(apiKeys.id, machine.id));
  const barrier = orders.raise({ userId: machine.id });
  await Promise.all(changing);
  barrier.until = tick();
  await db.update(apiKeys).set({ revokedAt: null }).where(eq(apiKeys.id, machine.id));
};

const limitsBroken = async (): Promise<string[]> => {
  const live = await db.select().from(bookings).where(ne(bookings.status, 'canceled'));
  const capacities = new Map(
    [...clinic.slots, clinic.queue].map(
      (slot) => [`${slot.doctor_id} ${slot.session_id}`, slot.capacity] as const,
    ),
  );
  const starts = Map.groupBy(live, ({ doctorId, startsAt }) => `${doctorId} ${startsAt}`);
  const crowded = [...starts.values()].filter((rows) => {
    const capacity = capacities.get(`${rows[0]?.doctorId} ${rows[0]?.sessionId}`) ?? 0;
    const beyond = Math.min(maxOverbooked, rows.filter(({ overbooked }) => overbooked === 1).length);
    return (
      rows.length > capacity + beyond ||
      (beyond === 0 && rows.some(({ seat }) => seat > capacity + maxOverbooked))
    );
  });
  const patients = Map.groupBy(live, ({ patientId }) => patientId);
  const greedy = [...patients.values()].filter(
    (rows) => rows.filter(({ createdBy, patientId }) => createdBy === patientId).length > maxUpcoming,
  );
  return [
    ...crowded.map((rows) => `a slot holds the seats ${rows.map(({ seat }) => seat)} beyond its capacity`),
    ...greedy.map((rows) => `a patient has ${rows.length} coming bookings`),
  ];
};

/** The reception squeezes everybody into one slot at once; afterwards those who got a seat give it back. */
const overbookTogether = async (): Promise<string[]> => {
  const [by] = clinic.staff;
  const slot = slotInputOf(pick(clinic.slots));
  const made = await Promise.all(
    clinic.patients.map(
      ({ id }) =>
        orders.place(by, '/v1/bookings', { ...slot, patient_id: id, overbook: true }, several()).done,
    ),
  );
  const broken = await limitsBroken();
  for (const { status, body } of made)
    if (status === 201) await orders.place(by, `/v1/bookings/${body.data.id}/cancel`, {}, 1).done;
  return broken;
};

/** Everybody comes, and two desks call some of them, skip and take back; afterwards all go home. */
const callTogether = async (): Promise<void> => {
  const { queue, staff, patients } = clinic;
  const coming = { ...slotInputOf(queue), check_in: true };
  const comes = ({ id }: Member) =>
    orders.place(staff[0], '/v1/bookings', { ...coming, patient_id: id }, several()).done;
  const come = await Promise.all(patients.map(comes));
  const path = `/v1/doctors/${queue.doctor_id}/queue/next`;
  /** One desk's app knows no keys, the other's sends twice now and then. */
  const callOn = async (by: Member, at: number): Promise<void> => {
    for (let times = 0; times < 2; times++) {
      const { status, body } = await orders.place(by, path, {}, at % 2 || several(), 0.9).done;
      if (status !== 200) continue;
      const { id, version } = body.data;
      const luck = random();
      if (luck < 0.35) await orders.place(by, `/v1/bookings/${id}/skip`, {}, several()).done;
      else if (luck < 0.65) await orders.place(by, `/v1/bookings/${id}/undo`, { version }, several()).done;
    }
  };
  await Promise.all([...staff, ...staff].map(callOn));
  for (const { status, body } of come)
    if (status === 201) await orders.place(staff[0], `/v1/bookings/${body.data.id}/cancel`, {}, 1).done;
};

const round = async (): Promise<string[]> => {
  const lives = clinic.patients.map(async (member) => {
    for (let acts = 0; acts < 4; acts++) await pick(verbs)(member);
  });
  await Promise.all([...lives, pick([closeForAWhile, demoteForAWhile, revokeForAWhile])()]);
  await callTogether();
  await orders.resolve();
  const overbooked = await overbookTogether();
  return [
    ...overbooked,
    ...orders.violations,
    ...(await limitsBroken()),
    ...findProblems(stress.path),
    ...differencesFrom(stress.path, orders.settled),
  ];
};

const counts = () => {
  const succeeded = orders.settled.filter(({ answer }) => answer.status < 300);
  return {
    acknowledged: succeeded.length,
    moved: succeeded.filter(({ order }) => order.path.endsWith('/reschedule')).length,
    called: succeeded.filter(({ order }) => order.path.endsWith('/next')).length,
    skipped: succeeded.filter(({ order }) => order.path.endsWith('/skip')).length,
    undone: succeeded.filter(({ order }) => order.path.endsWith('/undo')).length,
    refused: orders.settled.length - succeeded.length,
    lost: stress.tally.lost,
  };
};

await report(stress, round, counts);
