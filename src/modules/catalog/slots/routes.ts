import { resolveRules } from '../../../core/clinic/rules.ts';
import { reading, readOne } from '../../../core/db/db.ts';
import { splitLines } from '../../../core/db/row-columns.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { cachedFor, withETag } from '../../../core/http/etag.ts';
import { buildPage, namePage } from '../../../core/http/page.ts';
import { jsonList } from '../../../core/http/respond.ts';
import { soughtIn } from '../../../core/search/rules.ts';
import type { Mount } from '../../handler.ts';
import { doctorFields } from '../fields/doctors.ts';
import * as contract from './contract.ts';
import { awaitsApproval, readListedPatient } from './for-patient.ts';
import { computeSpan, manyDates, manySlots, nextOfMany, nextSlots, nextSpan, soonestFirst } from './many.ts';
import { chosenCalendars, findChosenDoctors, pageCalendars, searchedCalendars } from './many-queries.ts';
import { findDoctors, findSessions, searchDoctors } from './name-queries.ts';
import { findDoctor } from './queries.ts';
import { datesBetween, listedDates, slotsAnswer, slotsReads } from './slots.ts';

type ListQuery = QueryOf<typeof contract.ListDoctors>;

/** A page of doctors, and with `include=next_available` their calendars of 31 days: one round trip. */
const doctorReads = (deps: Deps, now: number, { q, include, ...query }: ListQuery) => {
  const today = deps.clinicTime.dateOf(now);
  const wanted = { ...namePage(query), sessionId: query.session_id ?? null, today };
  const words = q === undefined ? null : { ...wanted, ...soughtIn(q) };
  const page = words === null ? findDoctors(deps.db, wanted) : searchDoctors(deps.db, words);
  if (include === undefined)
    return readOne(page, ([row]) => ({ lines: splitLines(row?.text), calendars: null }));
  const span = nextSpan(deps, now);
  const calendars =
    words === null ? pageCalendars(deps.db, wanted, span) : searchedCalendars(deps.db, words, span);
  return reading({ page, calendars }, ({ page: [row], calendars }) => ({
    lines: splitLines(row?.text),
    calendars,
  }));
};

const slotsCache = { 'Cache-Control': 'public, max-age=0, s-maxage=2' };
const namesCache = { 'Cache-Control': 'public, max-age=0, s-maxage=60' };

const readNamePosition = (line: string): [string, string] => {
  const { name, id } = JSON.parse(line);
  return [name, id];
};

const withNext = (nextOf: (id: string) => unknown) => (line: string) => {
  const doctor = JSON.parse(line);
  return { ...doctor, next_available: nextOf(doctor.id) };
};

const chosenDoctorIds = ({ doctor_id }: QueryOf<typeof contract.ListDaySlots>) => ({
  doctorIds: doctor_id === undefined ? null : JSON.stringify(doctor_id),
});

export const mountCatalog = (mount: Mount): void => {
  mount(contract.ListDoctors, {
    reads: ({ deps, now, query }) => doctorReads(deps, now, query),
    answer: ({ deps, now, query, header, actor }, { lines, calendars }) => {
      const { shown, ...page } = buildPage(lines, contract.ListDoctors.path, query, readNamePosition);
      const findNext = calendars && nextSlots(deps, now, actor, query.session_id, calendars);
      const data = findNext === null ? jsonList(shown) : shown.map(withNext(findNext));
      return withETag(header, { status: 200, data, ...page }, cachedFor(actor, namesCache));
    },
  });
  mount(contract.GetDoctor, {
    reads: ({ deps, params }) => findDoctor(deps.db, { doctorId: params.id }),
    answer: ({ header }, [doctor]) => {
      if (doctor === undefined || doctor.retiredAt !== null) throw new Failure('not_found');
      const data = { id: doctor.id, ...doctorFields.publicView(doctor), page_slug: doctor.pageSlug };
      return withETag(header, { status: 200, data }, namesCache);
    },
  });
  mount(contract.ListSessions, {
    reads: ({ deps, query }) => findSessions(deps.db, namePage(query)),
    answer: ({ query, header }, [row]) => {
      const { shown, ...page } = buildPage(
        splitLines(row?.text),
        contract.ListSessions.path,
        query,
        readNamePosition,
      );
      return withETag(header, { status: 200, data: jsonList(shown), ...page }, namesCache);
    },
  });
  mount(contract.ListSlots, {
    reads: ({ deps, now, params, query }) => slotsReads(deps, now, params.id, query),
    answer: async ({ deps, now, params, query, header, actor }, rows) => {
      const dates = listedDates(deps, now, query);
      const patient = await readListedPatient(deps, now, actor, query.patient_id, dates);
      const asked = { doctorId: params.id, by: actor, query, patient };
      const answer = await slotsAnswer(deps, now, asked, rows);
      return withETag(header, { status: 200, ...answer }, cachedFor(actor, slotsCache));
    },
  });
  mount(contract.ListDaySlots, {
    reads: ({ deps, now, query }) => {
      const { from, to } = manyDates(deps, now, query);
      const wanted = chosenDoctorIds(query);
      const span = computeSpan(deps, from, to);
      return { doctors: findChosenDoctors(deps.db, wanted), rows: chosenCalendars(deps.db, wanted, span) };
    },
    answer: async ({ deps, now, query, header, actor }, { doctors, rows }) => {
      const { isRange, from, to } = manyDates(deps, now, query);
      const patient = await readListedPatient(deps, now, actor, query.patient_id, { from, to });
      const asked = { by: actor, query, patient };
      const slots = manySlots(deps, now, asked, datesBetween(deps, from, to), doctors, rows);
      const isEmpty = isRange && slots.every(({ reason }) => reason !== undefined);
      const next = isEmpty
        ? await nextOfMany(deps, now, asked, { after: to, doctors, wanted: chosenDoctorIds(query) })
        : null;
      const meta = {
        time_zone: deps.clinicTime.zone,
        ...(isRange && { next_available: next }),
        ...awaitsApproval(patient, resolveRules(deps.config, rows.clinics[0] ?? {})),
      };
      const data = isRange ? soonestFirst(slots) : slots;
      return withETag(header, { status: 200, data, meta }, cachedFor(actor, slotsCache));
    },
  });
};
