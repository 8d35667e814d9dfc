import { eq } from 'drizzle-orm';
import { deviceLogins, users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from './clinic.ts';
import { act, type Clinic, createClinic } from './clinic-people.ts';
import { appCode, everybodyConfirms } from './factors.ts';
import { createEndpoint, createReceiver } from './receiver.ts';
import type { Sent, World } from './world.ts';

/** Unique values, one for each stored fact of a person. */
const marks = {
  name: 'Żulkarnain Ünikpenanda',
  email: 'Zulkarnain.Unik@Penanda-Surel.example',
  newEmail: 'surel.baru@penanda-lain.example',
  phone: '081777134409',
  newPhone: '817771344098',
  address: 'Gang Penandajalan 77, Sukapenanda',
  birthDate: '1987-03-19',
  nationalId: '3177987654321098',
  insuranceNumber: '0007771239876',
  recordNumber: 'RM-PENANDA-9',
  ihsId: 'P88112233445',
  referral: '0301R0010126B998877',
  password: 'sandi-rahasia-penanda-91',
  device: 'gawai-penanda-pertama',
  secondDevice: 'gawai-penanda-kedua',
  agent: 'PenandaPeramban/9.9',
  notes: 'Keluhan penandanyeri sejak Senin',
  staffNotes: 'Catatan dalam penandadesak',
  bookingNotes: 'Catatan kunjungan penandaruang',
  reason: 'Alasan penandabatal',
  clinicReason: 'Alasan penandaklinik',
  factor: 'Ponsel penandafaktor',
  child: 'Penandakecil Kanakkanak',
  childAddress: 'Asrama Penandaanak 5',
  merged: 'Zulkarnaen Penandaganda',
  mergedNotes: 'Catatan penandagabung',
  claimed: 'Zulkarnayn Penandaklaim',
  key: 'kunci-penanda-idempotensi',
  external: 'SIMRS-PENANDA-81',
  metadata: 'Unit penandaunit',
  bookingExternal: 'KUNJUNGAN-PENANDA-82',
  bookingMetadata: 'Berkas penandaberkas',
} as const;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** A value in every form in which the program may have written it down. */
const formsOf = (value: string): string[] => {
  const folded = value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = folded
    .split(/[^\p{L}\p{N}@.-]+/u)
    .filter((word) => /penanda|zulkarna|unikpenanda/.test(word));
  const digits = digitsOf(value);
  const numbers = digits.length >= 8 ? [digits, digits.replace(/^0+/, '')] : [];
  return [
    value,
    value.normalize('NFKC'),
    value.normalize('NFKD'),
    value.toLowerCase(),
    folded,
    ...words,
    ...numbers,
  ];
};

interface MarkedPerson {
  id: string;
  token: string;
  refreshToken: string;
  email: string;
  clinic: Clinic;
  /** Everything of which nothing may be left. */
  traces: readonly string[];
  /** A booking that was a visit, and one that is still to come. */
  visitId: string;
  comingId: string;
  /** Of the family: a child nobody else has to do with, and a mother whom the clinic has seen. */
  childId: string;
  motherId: string;
}

/** Fails the test where a step of the person's life is refused. */
const asker = (world: World) => async (path: string, sent: Sent) => {
  const answer = await world.request(path, sent);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

/** The stored forms of secrets: ciphertexts and hashes, which cannot be read and are deleted as well. */
const sealedOf = async ({ db }: World, id: string): Promise<string[]> => {
  const [record] = await db.select().from(patients).where(eq(patients.id, id));
  const [user] = await db.select().from(users).where(eq(users.id, id));
  const kept = [
    record?.nationalId,
    record?.nationalIdHash,
    record?.insuranceNumber,
    record?.insuranceNumberHash,
  ];
  return [...kept, user?.passwordHash].filter((text) => text != null && text !== '') as string[];
};

/** A person who does whatever people do here, and leaves a mark at every step. */
export const createMarkedPerson = async (world: World): Promise<MarkedPerson> => {
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff, admin, practice } = clinic;
  const ask = asker(world);
  const receiver = createReceiver(world);
  receiver.secret = (await createEndpoint(world)).secret;
  await ask('/v1/admin/clinic', {
    method: 'PATCH',
    token: admin.token,
    body: { consent_version: '2026-11' },
  });

  const registered = await ask('/v1/auth/register', {
    headers: { 'User-Agent': marks.agent },
    body: {
      name: marks.name,
      phone_number: marks.phone,
      phone_country_code: '62',
      email: marks.email,
      password: marks.password,
      password_confirmation: marks.password,
      device_id: marks.device,
      consent_version: '2026-11',
    },
  });
  const { id, email } = registered.user as { id: string; email: string };
  const token = registered.access_token as string;
  const key = (end: string) => ({ 'Idempotency-Key': `${marks.key}-${end}` });
  // Other people's idempotency keys stay for a day: a repeat is answered that its key is used up.
  const deskKey = (end: string) => ({ 'Idempotency-Key': `meja-${end}` });

  await ask('/v1/auth/login', { body: { email, password: marks.password, device_id: marks.secondDevice } });
  await world.request('/v1/auth/login', { body: { email, password: 'tebakan-penanda-93' } });
  await ask('/v1/auth/password/forgot', { body: { email } });
  await ask('/v1/auth/email/change', { token, body: { email: marks.newEmail } });
  await ask('/v1/auth/profile', { method: 'PATCH', token, body: { phone_number: marks.newPhone } });
  const own = {
    birth_date: marks.birthDate,
    sex: 'male',
    address: marks.address,
    national_id: marks.nationalId,
    insurance_number: marks.insuranceNumber,
  };
  await ask(`/v1/family/${id}`, { method: 'PATCH', token, body: own });
  const desk = {
    medical_record_number: marks.recordNumber,
    ihs_id: marks.ihsId,
    staff_notes: marks.staffNotes,
    external_id: marks.external,
    metadata: { unit: marks.metadata },
  };
  await ask(`/v1/patients/${id}`, { method: 'PATCH', token: staff.token, body: desk });

  const twin = await ask('/v1/patients', {
    token: staff.token,
    body: { name: marks.merged, phone_number: '81888777666', staff_notes: marks.mergedNotes },
    headers: deskKey('kembar'),
  });
  await ask(`/v1/patients/${twin.id}/merge`, {
    token: staff.token,
    body: { into: id },
    headers: deskKey('gabung'),
  });
  const claimed = await ask('/v1/patients', {
    token: staff.token,
    body: { name: marks.claimed, birth_date: marks.birthDate, confirm: true },
  });
  const made = await ask(`/v1/patients/${claimed.id}/claim-code`, { method: 'POST', token: staff.token });
  const claim = { code: made.code, birth_date: marks.birthDate, relation: 'self' };
  await ask('/v1/family/claim', { token, body: claim, headers: key('klaim') });

  const child = await ask('/v1/family', {
    token,
    body: { name: marks.child, birth_date: '2021-02-03', relation: 'child', address: marks.childAddress },
    headers: key('anak'),
  });
  const mother = await ask('/v1/family', {
    token,
    body: { name: 'Ibu Rahayu', birth_date: '1955-01-01', relation: 'parent' },
  });

  const book = async (fields: object, by = token, headers = {}): Promise<string> => {
    const body = bookingInput(practice, { notes: marks.notes, referral_number: marks.referral, ...fields });
    return (await ask('/v1/bookings', { token: by, body, headers })).id;
  };
  const visitId = await book({}, token, key('pesan'));
  const visitOfMother = await book({
    patient_id: mother.id,
    schedule_time: '09:30:00',
    notes: 'Kontrol',
    referral_number: undefined,
  });
  const moved = await book({ schedule_time: '10:00:00' });
  const slot = { schedule_date: '2026-11-24', schedule_time: '11:00:00' };
  await ask(`/v1/bookings/${moved}/reschedule`, { token, body: slot, headers: key('pindah') });
  await act(world, { token }, moved, 'cancel', { reason: marks.reason }, key('batal'));
  const byClinic = await book({ patient_id: id, schedule_time: '13:30:00' }, staff.token, deskKey('resepsi'));
  await act(world, staff, byClinic, 'cancel', { reason: marks.clinicReason }, deskKey('batal-klinik'));
  await book({ patient_id: child.id, schedule_date: '2026-11-25' });
  const comingId = await book({ schedule_date: '2026-11-26' });
  await ask(`/v1/bookings/${comingId}`, {
    method: 'PATCH',
    token: staff.token,
    body: {
      staff_notes: marks.bookingNotes,
      external_id: marks.bookingExternal,
      metadata: { berkas: marks.bookingMetadata },
    },
  });

  for (const at of [visitId, visitOfMother])
    for (const verb of ['approve', 'check-in', 'call', 'complete'])
      await act(world, staff, at, verb, {}, verb === 'complete' ? deskKey(`${verb}-${at}`) : {});
  await ask(`/v1/bookings/${visitId}`, {
    method: 'PATCH',
    token: staff.token,
    body: { staff_notes: marks.bookingNotes },
  });
  await deliverWebhooks(world.deps);
  await Promise.all(world.background.splice(0));

  await everybodyConfirms(world);
  const factors = '/v1/auth/second-factors/totp';
  const { secret } = await ask(factors, { token, body: { name: marks.factor } });
  await ask(`${factors}/confirm`, { token, body: { code: appCode(secret, world.clock.now) } });
  await everybodyConfirms(world);
  await ask('/v1/auth/export', { method: 'POST', token });
  const traces = [...Object.values(marks).flatMap(formsOf), ...(await sealedOf(world, id))];
  return {
    id,
    token,
    refreshToken: registered.refresh_token,
    email,
    clinic,
    traces: [...new Set(traces)].filter((text) => text.length >= 8),
    visitId,
    comingId,
    childId: child.id,
    motherId: mother.id,
  };
};

/** The logins of a person, confirmed as of now. */
export const confirmed = async (world: World, person: { id: string }): Promise<void> => {
  await world.db
    .update(deviceLogins)
    .set({ provedAt: world.clock.now })
    .where(eq(deviceLogins.userId, person.id));
};
