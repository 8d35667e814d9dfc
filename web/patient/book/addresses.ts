import type { Slot } from './slots.ts';

export const confirmAt = (
  doctor: string,
  { session_id, schedule_date, schedule_time }: Omit<Slot, 'reason'>,
): string =>
  `/pasien/konfirmasi?${new URLSearchParams({ dokter: doctor, layanan: session_id, tanggal: schedule_date, jam: schedule_time.slice(0, 5) })}`;

/** The address at which one waits for a seat. */
export const waitAt = (doctor: string, session: string, from = '', to = from): string => {
  const known = Object.entries({ dokter: doctor, layanan: session, dari: from, sampai: to });
  return `/pasien/tunggu?${new URLSearchParams(known.filter(([, value]) => value !== ''))}`;
};

/** The address at which a time with any doctor is chosen. */
export const anyAt = (session = '', date = ''): string => {
  const known = Object.entries({ layanan: session, tanggal: date }).filter(([, value]) => value !== '');
  return known.length === 0 ? '/pasien/waktu' : `/pasien/waktu?${new URLSearchParams(known)}`;
};
