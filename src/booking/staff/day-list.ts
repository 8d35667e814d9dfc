import * as z from 'zod/mini';
import type { Actor } from '../../auth/context.ts';
import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { once } from '../../endpoint/once.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { defaultLimit, pageOf } from '../../http/page.ts';
import { termsOf } from '../../search/rules.ts';
import { isBookingCode } from '../record/code.ts';
import { detailView } from '../record/views.ts';
import { ListBookings } from './contract.ts';
import { findByCode, findDay, findDoctorDay } from './queries.ts';

type Query = QueryOf<typeof ListBookings>;
type Rows = ReturnType<typeof findDay>['_']['result'];

const position = once(() => z.tuple([z.number(), z.string()]));

/** The digits of a phone number as it was typed, without leading zeros, which stand for the country code. */
const phoneDigits = (q: string): string => {
  const digits = q.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= 3 ? digits : '';
};

const readRows = async (deps: Deps, now: number, query: Query, doctorId: string | null): Promise<Rows> => {
  const { q, date, status = null } = query;
  const code = q?.toUpperCase() ?? null;
  if (date === undefined && code !== null && isBookingCode(code)) {
    const found = await run(deps.db, findByCode(deps.db, { code, doctorId, status }));
    // A name such as Mahendra has the form of a booking code.
    if (found.length > 0) return found;
  }
  const [afterStart, afterId] = query.cursor === undefined ? [0, ''] : decodeCursor(query.cursor, position);
  const values = {
    date: date ?? deps.clinicTime.dateOf(now),
    doctorId,
    status,
    afterStart,
    afterId,
    terms: q === undefined ? null : JSON.stringify(termsOf(q)),
    phone: phoneDigits(q ?? ''),
    code,
    limit: (query.limit ?? defaultLimit) + 1,
  };
  return run(deps.db, (doctorId === null ? findDay : findDoctorDay)(deps.db, values));
};

/** A page of the bookings of a day as the clinic sees them; doctors see their own. */
export const dayList = async (deps: Deps, now: number, actor: Actor, query: Query) => {
  const isOthers =
    actor.role === 'doctor' && query.doctor_id !== undefined && query.doctor_id !== actor.doctorId;
  const doctorId = actor.role === 'doctor' ? (actor.doctorId ?? '') : (query.doctor_id ?? null);
  const rows = isOthers ? [] : await readRows(deps, now, query, doctorId);
  const { shown, ...page } = pageOf(rows, ListBookings.path, query, ({ startsAt, id }) => [startsAt, id]);
  const data = shown.map(({ patientName, phoneCountryCode, phoneNumber, ...row }) => ({
    ...detailView(deps, now, row, 'clinic'),
    patient: {
      id: row.patientId,
      name: patientName,
      phone_country_code: phoneCountryCode,
      phone_number: phoneNumber,
    },
  }));
  return { data, ...page };
};
