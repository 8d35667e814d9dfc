import { externalView } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import { isoOrNull, toIso } from '../../../core/endpoint/instants.ts';
import { deviceView } from '../../auth/account/devices.ts';
import { lineView } from '../../auth/audit/list.ts';
import { consentView } from '../../auth/consents/views.ts';
import { publicUser, shownPhone } from '../../auth/login/views.ts';
import { answersView } from '../../booking/record/answer-views.ts';
import type { JudgingContext } from '../../booking/record/context.ts';
import { detailView } from '../../booking/record/views.ts';
import { choicesView, noticeView } from '../../notices/views.ts';
import { noVisits, patientDetail } from '../record/views.ts';
import type { readAll } from './reads.ts';
import { isWhole, most } from './rules.ts';

type Rows = Awaited<ReturnType<typeof readAll>>;
type RecordRow = Rows['records'][number];

const accountView = ({ id, ...row }: Rows['account'][number]) => ({
  ...publicUser(id, row),
  role: row.role,
  email_proved_at: isoOrNull(row.emailProvedAt),
  login_phone: shownPhone(row.loginPhone),
  phone_proved_at: isoOrNull(row.phoneProvedAt),
  wished_email: row.requestedEmail,
  created_at: toIso(row.createdAt),
});

const recordView = async (deps: Deps, row: RecordRow, personId: string, whole: boolean) => {
  const known = { ...row, accountEmail: null, accountRole: null };
  const { visits: _, has_account: __, ...shown } = await patientDetail(deps, known, noVisits, whole);
  return {
    ...shown,
    staff_notes: whole ? shown.staff_notes : '',
    relation: row.id === personId ? 'self' : row.relation,
    merged_into: row.mergedInto,
    whole,
  };
};

/** Everything that was read of a person, as the file has it. */
export const exportView = async (context: JudgingContext, personId: string, rows: Rows) => {
  const { deps, now } = context;
  const today = deps.clinicTime.dateOf(now);
  const records = new Map(rows.records.map((row) => [row.id, row]));
  const mayShowWhole = (id: string): boolean => {
    const named = records.get(id);
    const row = named?.mergedInto ? records.get(named.mergedInto) : named;
    return row !== undefined && isWhole({ ...row, isOwn: row.id === personId }, today);
  };
  const shown = rows.records.map((row) => recordView(deps, row, personId, mayShowWhole(row.id)));
  return {
    exported_at: toIso(now),
    complete: rows.bookings.length <= most.bookings && rows.events.length <= most.events,
    account: rows.account.map(accountView)[0] ?? null,
    records: await Promise.all(shown),
    bookings: rows.bookings.slice(0, most.bookings).map(({ events, ...row }) => ({
      ...detailView(context, row, 'patient'),
      ...(mayShowWhole(row.patientId) && { staff_notes: row.staffNotes, ...externalView(row) }),
      patient_id: row.patientId,
      answers: answersView(row),
      events: JSON.parse(events) as unknown,
    })),
    devices: rows.logins.map((row) => ({ ...deviceView(row, ''), user_agent: row.userAgent })),
    consents: rows.consents.map(consentView),
    mails: rows.mails.map(({ kind, address, createdAt, sentAt }) => ({
      kind,
      address,
      created_at: toIso(createdAt),
      sent_at: isoOrNull(sentAt),
    })),
    notices: rows.notices.map(noticeView),
    notice_choices: choicesView(deps, rows.choices[0]),
    relations: rows.relations.map(({ patientId, relation, createdAt, endedAt }) => ({
      patient_id: patientId,
      relation,
      created_at: toIso(createdAt),
      ended_at: isoOrNull(endedAt),
    })),
    external_ids: rows.sources.map(({ patientId, source, externalId, createdAt }) => ({
      patient_id: patientId,
      source,
      external_id: externalId,
      created_at: toIso(createdAt),
    })),
    waitlist: rows.entries.map((row) => ({
      patient_id: row.patientId,
      session_id: row.sessionId,
      doctor_id: row.doctorId,
      from: row.fromDate,
      to: row.toDate,
      earliest_time: row.earliestTime,
      latest_time: row.latestTime,
      created_at: toIso(row.createdAt),
      ended_at: isoOrNull(row.endedAt),
      ended_as: row.endedAs,
    })),
    security_events: rows.events
      .slice(0, most.events)
      // The clinic's staff are named only to its admins.
      .map((row) => ({ ...lineView(row), actor_name: null })),
  };
};
