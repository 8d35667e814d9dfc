import { eq } from 'drizzle-orm';
import { bookings } from '../../src/core/tables/bookings.ts';
import { doctors, sessions } from '../../src/core/tables/catalog.ts';
import { exchanges } from '../../src/core/tables/exchanges.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { sendExchanges } from '../../src/modules/exchange/run.ts';
import { sealNumber } from '../../src/modules/patients/numbers/numbers.ts';
import { createClinic } from './clinic-people.ts';
import { bpjsSettings, createBpjs } from './peers/bpjs.ts';
import { createSatusehat, satusehatSettings } from './peers/satusehat.ts';
import { createWorld, type World } from './world.ts';

/** The numbers of the clinic's patient, and of further ones. */
export const numbersAt = (at = 0) => ({ nik: `317101234567000${1 + at}`, card: `000123456789${at}` });

/** Numbers of a patient that the clinic has confirmed. */
export const confirmNumbers = async ({ deps, db, clock }: World, patientId: string, at = 0) => {
  const { nik, card } = numbersAt(at);
  const national = await sealNumber(deps, 'national_id', nik);
  const insurance = await sealNumber(deps, 'insurance_number', card);
  await db
    .update(patients)
    .set({
      nationalId: national.sealed,
      insuranceNumber: insurance.sealed,
      numbersConfirmedAt: clock.now,
      medicalRecordNumber: `00012${at}`,
    })
    .where(eq(patients.id, patientId));
};

/** A clinic that reports to both health systems, which stand beside it. */
export const createExchanging = async (settings: Record<string, string> = {}) => {
  const all = { ...bpjsSettings, ...satusehatSettings, ...settings };
  const world = await createWorld(all);
  const clinic = await createClinic(world, { capacity: 4 });
  const { doctorId, sessionId } = clinic.practice;
  const { db, clock } = world;
  await db
    .update(doctors)
    .set({ bpjsDoctorCode: 12_346, ihsId: 'N10000001' })
    .where(eq(doctors.id, doctorId));
  await db
    .update(sessions)
    .set({ bpjsPoliCode: 'ANA', bpjsFktpCode: '001', ihsLocationId: 'loc-1' })
    .where(eq(sessions.id, sessionId));
  await confirmNumbers(world, clinic.patient.id);
  const bpjs = createBpjs(() => clock.now, all as typeof bpjsSettings);
  const satusehat = createSatusehat(() => clock.now, all as typeof satusehatSettings);
  satusehat.people.set(numbersAt().nik, 'P02478375538');
  const askPartner: typeof world.deps.askPartner = (request, signal) =>
    (request.url.startsWith(bpjsSettings.BPJS_URL) ? bpjs : satusehat).ask(request, signal);
  Object.assign(world.deps, { askPartner });
  const logged: string[] = [];
  for (const level of ['warn', 'error'] as const)
    world.deps.log[level] = (...line) => void logged.push(JSON.stringify(line));
  /** Runs the job, after so many milliseconds. */
  const send = (afterMs = 1_000) => {
    clock.now += afterMs;
    return sendExchanges(world.deps, clock.now, AbortSignal.timeout(60_000));
  };
  const rows = () => db.select().from(exchanges).orderBy(exchanges.position);
  const find = async (id: string) => {
    const [row] = await db.select().from(bookings).where(eq(bookings.id, id));
    if (row === undefined) throw new Error('There is no such booking.');
    return row;
  };
  return { world, clinic, bpjs, satusehat, send, rows, find, logged };
};

export type Exchanging = Awaited<ReturnType<typeof createExchanging>>;
