import { resolveRules } from '../../../core/clinic/rules.ts';
import { read } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { introduceDoctor } from '../fields/doctors.ts';
import { nextDates, nextOpenIn, readsOfDates, type SlotView } from '../slots/slots.ts';
import { photoPath } from './actions.ts';
import { pageFields } from './fields.ts';
import type { findPublished } from './queries.ts';

type Published = Awaited<ReturnType<typeof findPublished>['_']['result']>[number];

/** How many days ahead the next times are looked for. */
const daysAhead = 31;

/** What a published page shows beside its own text: the clinic, the sessions of the doctor, and the next free slots. */
export const readShown = async (deps: Deps, now: number, { page, doctor }: Published, enough: number) => {
  const today = deps.clinicTime.dateOf(now);
  const span = deps.clinicTime.addDays(today, daysAhead - 1);
  const rows = await read(deps.db, readsOfDates(deps, doctor.id, today, span));
  const [clinic] = rows.clinics;
  if (clinic === undefined) throw new Failure('unavailable');
  const rules = resolveRules(deps.config, clinic);
  const { lastDate } = nextDates(deps, now, today, rules);
  const dates = { fromDate: today, lastDate: lastDate < span ? lastDate : span };
  const names = new Map(
    rows.schedules
      .filter(({ validUntil }) => validUntil === null || validUntil >= today)
      .map(({ sessionId, sessionName }) => [sessionId, sessionName]),
  );
  const slots: SlotView[] =
    enough === 0 ? [] : nextOpenIn(deps, doctor.id, rows, dates, { now, enough, by: null, rules });
  return {
    doctorId: doctor.id,
    ...introduceDoctor(doctor),
    ...pageFields.publicView(page),
    photo: photoPath(page.photoTag),
    clinic: {
      name: clinic.name,
      address: clinic.address,
      phone: clinic.phone,
      color: clinic.color,
      logo: clinic.logoTag === null ? null : `/logo/${clinic.logoTag}`,
    },
    sessions: [...names]
      .map(([id, name]) => ({ id, name }))
      .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
    slots: slots.slice(0, enough),
  };
};

export type Shown = Awaited<ReturnType<typeof readShown>>;
