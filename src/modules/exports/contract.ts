import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described } from '../../core/endpoint/fields.ts';
import { updatedSince } from '../../core/endpoint/query-fields.ts';
import { columnsOf } from './columns.ts';
import { csvType, exportFormats, ndjsonType } from './form.ts';

const common = {
  method: 'get',
  tag: 'export',
  access: ['admin'],
  scope: 'export:read',
  discloses: 'export',
  recentLogin: true,
} as const;

const query = () =>
  z.object({
    updated_since: updatedSince(),
    format: described(
      z.optional(z.enum(exportFormats)),
      '`ndjson` unless set, or `csv` where `Accept` likes `text/csv` better; `excel` is CSV for spreadsheets with a decimal comma: semicolons, a byte order mark, and a tab before digits that would be cut.',
    ),
  });

const returns = {
  200: {
    description: 'A row for each, piece by piece; a connection that is cut short has not given all.',
    contentType: ndjsonType,
    alsoAs: csvType,
    headers: ['Content-Disposition'],
  },
} as const;

const columns = (kind: keyof typeof columnsOf): string => `Columns: ${columnsOf[kind].join(', ')}.`;

const changedLast =
  'In the order of their last change. What is changed meanwhile comes again at the end, and is never left out.';
const nextSince =
  'In the order of their ids. What is changed meanwhile may be as it was before: ask next time for what was changed since a minute before this answer began (`Date`).';

export const ExportPatients = endpoint({
  ...common,
  path: '/v1/export/patients',
  summary: 'All patients, as NDJSON or CSV',
  description: `${changedLast} National and insurance numbers are whole. Deleted and merged patients are listed by \`GET /v1/patients/changes\`. ${columns('patients')}`,
  query,
  returns,
});

export const ExportBookings = endpoint({
  ...common,
  path: '/v1/export/bookings',
  summary: 'All bookings, as NDJSON or CSV',
  description: `${nextSince} ${columns('bookings')}`,
  query,
  returns,
});

export const ExportDoctors = endpoint({
  ...common,
  path: '/v1/export/doctors',
  summary: 'All doctors, as NDJSON or CSV',
  description: `Retired ones too (\`active\`). ${columns('doctors')}`,
  query,
  returns,
});

export const ExportSessions = endpoint({
  ...common,
  path: '/v1/export/sessions',
  summary: 'All sessions, as NDJSON or CSV',
  description: `Retired ones too (\`active\`). ${columns('sessions')}`,
  query,
  returns,
});

export const ExportSchedules = endpoint({
  ...common,
  path: '/v1/export/schedules',
  summary: 'All weekly schedules, as NDJSON or CSV',
  description: `Ended ones too (\`active\`). ${columns('schedules')}`,
  query,
  returns,
});

export const ExportClosures = endpoint({
  ...common,
  path: '/v1/export/closures',
  summary: 'All leave and holidays, as NDJSON or CSV',
  description: `Removed ones are gone. ${columns('closures')}`,
  query,
  returns,
});
