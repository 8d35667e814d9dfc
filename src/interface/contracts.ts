import * as account from '../auth/account/contract.ts';
import * as audit from '../auth/audit/contract.ts';
import * as consents from '../auth/consents/contract.ts';
import * as email from '../auth/email/contract.ts';
import * as factors from '../auth/factors/contract.ts';
import * as keys from '../auth/keys/contract.ts';
import * as auth from '../auth/login/contract.ts';
import * as pageLogins from '../auth/login/page-contract.ts';
import * as bookings from '../booking/changes/contract.ts';
import * as resolving from '../booking/closures/contract.ts';
import * as feeds from '../booking/feeds/contract.ts';
import * as bookingLists from '../booking/listing/contract.ts';
import * as queues from '../booking/queue/contract.ts';
import * as bookingReads from '../booking/reading/contract.ts';
import * as series from '../booking/series/contract.ts';
import * as clinic from '../booking/staff/contract.ts';
import * as statistics from '../booking/statistics/contract.ts';
import * as waitlist from '../booking/waitlist/contract.ts';
import * as clinicProfile from '../catalog/clinic/contract.ts';
import * as adminClosures from '../catalog/closures/contract.ts';
import * as adminDoctors from '../catalog/doctors/contract.ts';
import * as holidays from '../catalog/holidays/contract.ts';
import * as adminSchedules from '../catalog/schedules/contract.ts';
import * as adminSessions from '../catalog/sessions/contract.ts';
import * as catalog from '../catalog/slots/contract.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import * as dataExport from '../exports/contract.ts';
import * as health from '../health/contract.ts';
import * as notices from '../notices/contract.ts';
import * as claims from '../patients/claim/contract.ts';
import * as patients from '../patients/desk/contract.ts';
import * as erasure from '../patients/erasure/contract.ts';
import * as exporting from '../patients/export/contract.ts';
import * as family from '../patients/family/contract.ts';
import * as imports from '../patients/import/contract.ts';
import * as merges from '../patients/merge/contract.ts';
import * as people from '../people/contract.ts';
import * as peoplesDevices from '../people/devices-contract.ts';
import * as setup from '../setup/contract.ts';
import * as webhooks from '../webhooks/contract.ts';

const declared = {
  ...health,
  ...auth,
  ...pageLogins,
  ...setup,
  ...people,
  ...peoplesDevices,
  ...family,
  ...patients,
  ...imports,
  ...merges,
  ...claims,
  ...erasure,
  ...exporting,
  ...dataExport,
  ...account,
  ...consents,
  ...email,
  ...factors,
  ...audit,
  ...keys,
  ...catalog,
  ...clinicProfile,
  ...adminDoctors,
  ...adminSessions,
  ...adminSchedules,
  ...holidays,
  ...adminClosures,
  ...bookings,
  ...bookingReads,
  ...series,
  ...feeds,
  ...bookingLists,
  ...waitlist,
  ...statistics,
  ...resolving,
  ...webhooks,
  ...clinic,
  ...queues,
  ...notices,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value;

/** Every contract of the service, by its name: the reference and the tests are generated from these. */
export const contracts: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(declared).filter(([, value]) => isEndpoint(value)),
) as Record<string, Endpoint>;
