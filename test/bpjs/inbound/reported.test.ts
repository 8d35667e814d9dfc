import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { schedules } from '../../../src/core/tables/catalog.ts';
import { act } from '../../support/clinic-people.ts';
import { createExchanging } from '../../support/exchanging.ts';
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
