import type { Endpoint } from '../core/endpoint/endpoint.ts';
import * as account from '../modules/auth/account/contract.ts';
import * as audit from '../modules/auth/audit/contract.ts';
import * as loginCodes from '../modules/auth/code/contract.ts';
import * as consents from '../modules/auth/consents/contract.ts';
import * as email from '../modules/auth/email/contract.ts';
import * as factors from '../modules/auth/factors/contract.ts';
import * as keys from '../modules/auth/keys/contract.ts';
import * as auth from '../modules/auth/login/contract.ts';
import * as pageLogins from '../modules/auth/login/page-contract.ts';
import * as loginPhone from '../modules/auth/phones/contract.ts';
import * as reauthentication from '../modules/auth/reauthentication/contract.ts';
import * as checkIns from '../modules/booking/arrivals/contract.ts';
import * as bookings from '../modules/booking/changes/contract.ts';
import * as resolving from '../modules/booking/closures/contract.ts';
import * as confirming from '../modules/booking/confirming/contract.ts';
import * as feeds from '../modules/booking/feeds/contract.ts';
import * as holds from '../modules/booking/holds/contract.ts';
import * as visitImports from '../modules/booking/import/contract.ts';
import * as bookingLists from '../modules/booking/listing/contract.ts';
import * as questions from '../modules/booking/questions/contract.ts';
import * as queues from '../modules/booking/queue/contract.ts';
import * as bookingReads from '../modules/booking/reading/contract.ts';
import * as series from '../modules/booking/series/contract.ts';
import * as clinic from '../modules/booking/staff/contract.ts';
import * as statistics from '../modules/booking/statistics/contract.ts';
import * as waitlist from '../modules/booking/waitlist/contract.ts';
import * as clinicProfile from '../modules/catalog/clinic/contract.ts';
import * as adminClosures from '../modules/catalog/closures/contract.ts';
import * as adminDoctors from '../modules/catalog/doctors/contract.ts';
import * as holidays from '../modules/catalog/holidays/contract.ts';
import * as doctorPages from '../modules/catalog/pages/contract.ts';
import * as adminSchedules from '../modules/catalog/schedules/contract.ts';
import * as adminSessions from '../modules/catalog/sessions/contract.ts';
import * as catalog from '../modules/catalog/slots/contract.ts';
import * as events from '../modules/events/contract.ts';
import * as exchanges from '../modules/exchange/contract.ts';
import * as dataExport from '../modules/exports/contract.ts';
import * as health from '../modules/health/contract.ts';
import * as notices from '../modules/notices/contract.ts';
import * as claims from '../modules/patients/claim/contract.ts';
import * as patients from '../modules/patients/desk/contract.ts';
import * as erasure from '../modules/patients/erasure/contract.ts';
import * as exporting from '../modules/patients/export/contract.ts';
import * as family from '../modules/patients/family/contract.ts';
import * as imports from '../modules/patients/import/contract.ts';
import * as matches from '../modules/patients/matches/contract.ts';
import * as merges from '../modules/patients/merge/contract.ts';
import * as people from '../modules/people/contract.ts';
import * as peoplesDevices from '../modules/people/devices-contract.ts';
import * as setup from '../modules/setup/contract.ts';
import * as sso from '../modules/sso/contract.ts';
import * as webhooks from '../modules/webhooks/contract.ts';

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
  ...visitImports,
  ...merges,
  ...claims,
  ...matches,
  ...erasure,
  ...exporting,
  ...dataExport,
  ...account,
  ...loginCodes,
  ...loginPhone,
  ...reauthentication,
  ...sso,
  ...consents,
  ...email,
  ...factors,
  ...audit,
  ...keys,
  ...catalog,
  ...clinicProfile,
  ...adminDoctors,
  ...doctorPages,
  ...adminSessions,
  ...adminSchedules,
  ...holidays,
  ...adminClosures,
  ...bookings,
  ...bookingReads,
  ...questions,
  ...confirming,
  ...series,
  ...feeds,
  ...bookingLists,
  ...waitlist,
  ...holds,
  ...statistics,
  ...resolving,
  ...webhooks,
  ...events,
  ...exchanges,
  ...clinic,
  ...checkIns,
  ...queues,
  ...notices,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value;

/** Every contract of the service, by its name: the reference and the tests are generated from these. */
export const contracts: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(declared).filter(([, value]) => isEndpoint(value)),
) as Record<string, Endpoint>;
