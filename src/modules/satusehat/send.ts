import { dayMs } from '../../core/clinic/durations.ts';
import { run } from '../../core/db/db.ts';
import type { Deps, PartnerRequest } from '../../core/deps.ts';
import { heardBy } from '../../core/mailer.ts';
import { type Claimed, isErased } from '../exchange/outbox/queries.ts';
import { noAnswer, type Verdict } from '../exchange/outbox/verdict.ts';
import { openNumber } from '../patients/numbers/numbers.ts';
import { buildEncounter, buildIdentifier } from './encounter.ts';
import { keepIhs, noteLookup } from './queries.ts';
import { judgeStatus } from './rules.ts';

interface Asking {
  deps: Deps;
  token: string;
  signal: AbortSignal;
}

interface Resource {
  id?: string;
  entry?: { resource?: { id?: string } }[];
}

/** Reads or writes a resource; a verdict if this failed. */
const ask = async (
  { deps: { config, askPartner }, token, signal }: Asking,
  method: PartnerRequest['method'],
  path: string,
  body?: object,
): Promise<{ resource: Resource } | { verdict: Verdict }> => {
  const answer = await askPartner(
    {
      method,
      url: `${config.SATUSEHAT_FHIR_URL}/${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    signal,
  );
  if ('failure' in answer) return { verdict: noAnswer('silence') };
  const heard = heardBy(answer.status, answer.retryAfterMs);
  if (answer.status >= 200 && answer.status < 300)
    try {
      return { resource: JSON.parse(answer.body) };
    } catch {
      return { verdict: noAnswer(heard) };
    }
  const found = judgeStatus(answer.status, answer.body);
  return { verdict: found.is === 'renew' || found.is === 'parked' ? found : { ...found, heard } };
};

const nikSystem = 'https://fhir.kemkes.go.id/id/nik';

/** The IHS number of a patient or doctor by their NIK, stored once it is found; looked up at most once a day. */
const lookUp = async (
  asking: Asking,
  kind: 'patient' | 'doctor',
  { id, sealedNik, askedAt }: { id: string; sealedNik: string | null; askedAt: number | null },
): Promise<{ ihsId: string } | { verdict: Verdict }> => {
  const { deps } = asking;
  const nik = await openNumber(deps, sealedNik);
  const none = kind === 'patient' ? 'no_patient_ihs' : 'no_doctor_ihs';
  if (nik === null)
    return { verdict: { is: 'parked', reason: kind === 'patient' ? 'no_national_id' : none } };
  const now = deps.clock();
  if (askedAt !== null && askedAt > now - dayMs) return { verdict: { is: 'parked', reason: none } };
  const type = kind === 'patient' ? 'Patient' : 'Practitioner';
  const found = await ask(asking, 'GET', `${type}?identifier=${encodeURIComponent(`${nikSystem}|${nik}`)}`);
  if ('verdict' in found) return found;
  const ihsId = found.resource.entry?.[0]?.resource?.id;
  if (ihsId === undefined) {
    await run(deps.db, noteLookup(deps.db, { subjectId: id, now }));
    return { verdict: { is: 'parked', reason: none } };
  }
  await run(deps.db, keepIhs[kind](deps.db, { id, ihsId }));
  return { ihsId };
};

const identify = async (asking: Asking, row: Claimed) => {
  const patient =
    row.patientIhs ??
    (await lookUp(asking, 'patient', {
      id: row.patientId,
      sealedNik: row.numbersConfirmedAt === null ? null : row.nationalId,
      askedAt: row.patientAskedAt,
    }));
  if (typeof patient !== 'string' && 'verdict' in patient) return patient;
  const doctor =
    row.doctorIhs ??
    (await lookUp(asking, 'doctor', {
      id: row.doctorId,
      sealedNik: row.doctorNationalId,
      askedAt: row.doctorAskedAt,
    }));
  if (typeof doctor !== 'string' && 'verdict' in doctor) return doctor;
  return {
    patientIhs: typeof patient === 'string' ? patient : patient.ihsId,
    doctorIhs: typeof doctor === 'string' ? doctor : doctor.ihsId,
  };
};

/** The visit after this step, without later changes. */
const toVisit = (deps: Deps, row: Claimed, step: Claimed['step']) => {
  const { occurredAt } = row;
  const arrivedAt = step === 'arrive' ? (row.step === 'arrive' ? occurredAt : null) : null;
  const isAfter = step !== 'arrive';
  const completed = deps.config.SATUSEHAT_FINISH === 'on' ? 'finished' : 'in-progress';
  const ended = { complete: completed, absent: 'cancelled', cancel: 'cancelled' } as const;
  const as = ended[step as keyof typeof ended];
  return {
    arrivedAt: arrivedAt ?? row.checkedInAt ?? row.firstCalledAt ?? occurredAt,
    calledAt: isAfter ? (step === 'call' ? occurredAt : row.firstCalledAt) : null,
    ended: as === undefined ? null : { at: occurredAt, as },
  };
};

/** Sends one step of a visit to SATUSEHAT: a new Encounter, or the whole of the one there is. */
export const sendToSatusehat = async (
  deps: Deps,
  row: Claimed,
  token: string,
  signal: AbortSignal,
): Promise<Verdict> => {
  const isUnknown = row.encounterId === null && row.step !== 'arrive';
  if (isUnknown && (row.isLeft || row.step === 'cancel' || row.step === 'absent'))
    return { is: 'dropped', why: 'left' };
  if (isErased(row)) return { is: 'dropped', why: 'erased' };
  const { SATUSEHAT_ORGANIZATION_ID: organizationId = '' } = deps.config;
  if (row.locationIhs === null) return { is: 'parked', reason: 'no_location' };
  const asking = { deps, token, signal };
  const people = await identify(asking, row);
  if ('verdict' in people) return people.verdict;
  const isNew = row.encounterId === null;
  // The answer to an attempt before may have been lost: then it is there.
  if (isNew && row.attempts > 1) {
    const { system, value } = buildIdentifier(organizationId, row.bookingCode);
    const path = `Encounter?identifier=${encodeURIComponent(`${system}|${value}`)}&subject=${people.patientIhs}`;
    const found = await ask(asking, 'GET', path);
    if ('verdict' in found) return found.verdict;
    const encounterId = found.resource.entry?.[0]?.resource?.id;
    if (encounterId !== undefined) return { is: isUnknown ? 'joined' : 'done', encounterId };
  }
  const encounter = buildEncounter({
    id: row.encounterId,
    bookingCode: row.bookingCode,
    organizationId,
    ...people,
    patientName: row.patientName,
    doctorName: row.doctorName,
    locationIhs: row.locationIhs,
    locationName: row.sessionName,
    ...toVisit(deps, row, isUnknown ? 'arrive' : row.step),
  });
  const written = isNew
    ? await ask(asking, 'POST', 'Encounter', encounter)
    : await ask(asking, 'PUT', `Encounter/${row.encounterId}`, encounter);
  if ('verdict' in written) return written.verdict;
  const encounterId = row.encounterId ?? written.resource.id;
  if (encounterId === undefined) return noAnswer('answer');
  return { is: isUnknown ? 'joined' : 'done', encounterId };
};
