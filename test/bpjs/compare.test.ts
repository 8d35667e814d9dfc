import { expect, it } from 'vitest';
import { compareNextWeek } from '../../src/modules/bpjs/compare.ts';
import { createExchanging } from '../support/exchanging.ts';

const signal = AbortSignal.timeout(60_000);

it('names what HFIS has otherwise: doctors, polis, hours and places', async () => {
  const { world, bpjs } = await createExchanging();
  bpjs.references['ref/poli'] = { list: [{ kdsubspesialis: 'INT', nmsubspesialis: 'Penyakit Dalam' }] };
  bpjs.references['ref/dokter'] = {
    list: [
      { kodedokter: 12_346, namadokter: 'dr. Sari Wulandari' },
      { kodedokter: 99, namadokter: 'dr. Agus Salim' },
    ],
  };
  const doctor = { kodedokter: 12_346, namadokter: 'dr. Sari Wulandari', libur: 0 };
  for (let day = 23; day < 30; day++)
    bpjs.references[`jadwaldokter/kodepoli/ANA/tanggal/2026-11-${day}`] = {
      list: [{ ...doctor, jadwal: '08:00 - 16:00', kapasitaspasien: day === 24 ? 30 : 64 }],
    };
  bpjs.references['jadwaldokter/kodepoli/ANA/tanggal/2026-11-25'] = {
    list: [{ ...doctor, jadwal: '09:00 - 16:00', kapasitaspasien: 64 }],
  };
  const found = await compareNextWeek(world.deps, signal);
  expect(
    found.map(({ what, missing, code, date, hours, janji, hfis }) => [
      what,
      missing,
      code,
      date,
      hours,
      janji,
      hfis,
    ]),
  ).toEqual([
    ['poli', 'hfis', 'ANA', null, null, null, null],
    ['doctor', 'janji', '99', null, null, null, null],
    ['places', null, 'ANA 12346', '2026-11-24', '08:00-16:00', 64, 30],
    ['shift', 'hfis', 'ANA 12346', '2026-11-25', '08:00-16:00', 64, null],
    ['shift', 'janji', 'ANA 12346', '2026-11-25', '09:00-16:00', null, 64],
  ]);
});

it('says which question HFIS did not answer', async () => {
  const { world } = await createExchanging();
  await expect(compareNextWeek(world.deps, signal)).rejects.toThrow('ref/poli: no answer');
});
