import { runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordSubjectEventIfAudited } from '../../../core/events/queries.ts';
import { changeEvent, eventRow, toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import { runsBookingsOf } from '../record/rules.ts';
import { refuseActor } from '../seats/refusal.ts';
import { explainNotice, recordNotice, writeNotice } from './notice-queries.ts';

interface Notice {
  date: string;
  delay_minutes: number;
  message: string;
}

export const nothing = { delay_minutes: 0, message: '' };

/** Sets the notice that a doctor's patients of a date see; nothing is written if it does not change. */
export const setNotice = async (context: AnyContext, doctorId: string, notice: Notice) => {
  const { deps, actor, now, requestId } = context;
  if (!runsBookingsOf(doctorId, actor)) throw new Failure('forbidden');
  const { db } = deps;
  const { date, delay_minutes, message } = notice;
  const event = eventRow(
    changeEvent(deps, toAuthor(context), 'notice_set', { doctor_id: doctorId, date, delay_minutes }),
  );
  const values = { doctorId, date, delayMinutes: delay_minutes, message };
  const by = { actorRole: actor.role, actorDoctorId: actor.doctorId, loginId: actor.deviceLoginId };
  const {
    why: [why],
  } = await runAll(db, {
    recorded: recordNotice(db, { ...event, ...values, ...by }),
    webhookEvent: recordSubjectEventIfAudited(db, {
      writeId: event.writeId,
      type: 'queue.notice_set',
      subjectId: doctorId,
      actorId: actor.userId,
      actorRole: actor.role,
      requestId,
      now,
      data: { doctor_id: doctorId, schedule_date: date, delay_minutes },
    }),
    written: writeNotice(db, { ...values, writeId: event.writeId, now }),
    why: explainNotice(db, { doctorId, date, actorId: actor.userId, ...by, now }),
  });
  if (why !== undefined) refuseActor({ ...why, repeated: 0 });
  deps.eventsWritten();
  return { doctor_id: doctorId, date, delay_minutes, message, version: why?.version ?? 0 };
};
