import { instantSince } from '../../core/clinic/since.ts';
import type { QueryOf } from '../../core/endpoint/endpoint.ts';
import type { RequestContext } from '../../core/http/context.ts';
import { preferredType } from '../../core/http/language.ts';
import type { AnyActor } from '../auth/context.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { contentTypes, csvType, type ExportFormat, fileEnds, ndjsonType } from './form.ts';
import type { ExportKind } from './sources.ts';
import { streamExport } from './write.ts';

type Query = QueryOf<typeof contract.ExportPatients>;

const chooseFormat = ({ format }: Query, accept: string | undefined): ExportFormat =>
  format ?? (preferredType(accept, [ndjsonType, csvType]) === csvType ? 'csv' : 'ndjson');

const exporting =
  (kind: ExportKind) =>
  async ({ deps, actor, query, header }: RequestContext & { actor: AnyActor; query: Query }) => {
    const format = chooseFormat(query, header('Accept'));
    const since = instantSince(deps.clinicTime, query.updated_since);
    return {
      status: 200 as const,
      stream: await streamExport({ deps, actor }, { kind, format, since }),
      headers: {
        'Content-Type': contentTypes[format],
        'Content-Disposition': `attachment; filename="${kind}.${fileEnds[format]}"`,
      },
    };
  };

export const mountDataExport = (mount: Mount): void => {
  mount(contract.ExportPatients, { answer: exporting('patients') });
  mount(contract.ExportBookings, { answer: exporting('bookings') });
  mount(contract.ExportDoctors, { answer: exporting('doctors') });
  mount(contract.ExportSessions, { answer: exporting('sessions') });
  mount(contract.ExportSchedules, { answer: exporting('schedules') });
  mount(contract.ExportClosures, { answer: exporting('closures') });
};
