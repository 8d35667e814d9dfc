import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { closures, schedules } from '../../../src/core/tables/catalog.ts';
import { act } from '../../support/clinic-people.ts';
import { createExchanging } from '../../support/exchanging.ts';
import { codesOn, hold } from '../../support/holds.ts';
import { addKey } from '../../support/keys.ts';
import { createMobileJkn, newPatientAt, takeAt } from '../../support/peers/mobile-jkn.ts';

it('what comes in by Mobile JKN is reported like every other visit, and that BPJS has it already is a success', async () => {
  const { world, clinic, bpjs, satusehat, send, rows } = await createExchanging({ SATUSEHAT: 'off' });
  await world.db
    .update(schedules)
    .set({ endTime: '10:00:00' })
    .where(eq(schedules.doctorId, clinic.practice.doctorId));
  const mobile = createMobileJkn(world, 'rs', await addKey(world, ['antrean:write']));
  await mobile.login();
  for (const at of [0, 1]) await mobile.post('pasien/baru', newPatientAt(at));
  const known = (await mobile.post('antrean/ambil', takeAt())).response;
  // BPJS knows what its own application took, and answers 208.
  bpjs.queues.set(known.kodebooking, { add: { tanggalperiksa: '2026-11-23' }, tasks: [], canceled: false });
  const other = (await mobile.post('antrean/ambil', takeAt(1))).response;
  await send();
  expect(bpjs.queues.get(other.kodebooking)?.add).toMatchObject({
    kodebooking: other.kodebooking,
    jenispasien: 'JKN',
    nomorkartu: takeAt(1).nomorkartu,
    jampraktek: '08:00-10:00',
    nomorantrean: other.nomorantrean,
    angkaantrean: other.angkaantrean,
    estimasidilayani: other.estimasidilayani,
    nomorreferensi: takeAt(1).nomorreferensi,
    jeniskunjungan: 1,
  });
  await mobile.post('antrean/checkin', { kodebooking: known.kodebooking });
  const [row] = await world.db.select().from(bookings).where(eq(bookings.bookingCode, known.kodebooking));
  for (const verb of ['call', 'complete']) await act(world, clinic.staff, row?.id ?? '', verb);
  await mobile.post('antrean/batal', { kodebooking: other.kodebooking, keterangan: 'Sakit' });
  await send();
  expect(bpjs.queues.get(known.kodebooking)?.tasks.map(([task]) => task)).toEqual([3, 4, 5]);
  expect(bpjs.queues.get(other.kodebooking)?.canceled).toBe(true);
  expect([await rows(), bpjs.wrongs, satusehat.wrongs]).toEqual([[], [], []]);
});

it('the places that are left are the same, whether BPJS asks or is told: without what is held, closed or past', async () => {
  const { world, clinic, bpjs, send } = await createExchanging({
    SATUSEHAT: 'off',
    MIN_NOTICE_MINUTES: '0',
    ...codesOn,
  });
  const { doctorId } = clinic.practice;
  const hours = { endTime: '10:00:00', capacity: 2, jknQuota: 6 };
  await world.db.update(schedules).set(hours).where(eq(schedules.doctorId, doctorId));
  const mobile = createMobileJkn(world, 'rs', await addKey(world, ['antrean:write']));
  await mobile.login();
  for (const at of [0, 1]) await mobile.post('pasien/baru', newPatientAt(at));
  const both = async (at: number) => {
    const { response } = await mobile.post('antrean/ambil', takeAt(at));
    await send();
    const { sisakuotajkn, kuotajkn, sisakuotanonjkn, kuotanonjkn } = response;
    const answered = { sisakuotajkn, kuotajkn, sisakuotanonjkn, kuotanonjkn };
    expect(bpjs.queues.get(response.kodebooking)?.add).toMatchObject(answered);
    return Object.values(answered);
  };
  expect((await hold(world, clinic.practice)).status).toBe(201);
  const { clock, deps } = world;
  const day = { startDate: '2026-11-23', endDate: '2026-11-23' };
  const closed = { ...day, startTime: '09:30:00', endTime: '10:00:00' };
  const made = { id: deps.newId(), doctorId, name: 'Rapat', createdAt: clock.now, updatedAt: clock.now };
  await world.db.insert(closures).values({ ...made, ...closed });
  // Six places are open; of the four that are left beside the hold and this booking, none is of those who pay otherwise.
  expect(await both(0)).toEqual([4, 6, 0, 0]);
  // Half of the hours are over.
  clock.now = Date.parse('2026-11-23T01:45:00Z');
  await mobile.login();
  expect(await both(1)).toEqual([1, 6, 0, 0]);
});
