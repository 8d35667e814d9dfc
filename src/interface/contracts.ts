// The endpoints of `/v1`. A new folder of endpoints takes two lines here, and two imports: what answers them, and their contracts.

import type { Endpoint } from '../core/endpoint/endpoint.ts';
import * as account from '../modules/auth/account/contract.ts';
import { mountAccount } from '../modules/auth/account/routes.ts';
import * as audit from '../modules/auth/audit/contract.ts';
import { mountAudit } from '../modules/auth/audit/routes.ts';
import * as loginCodes from '../modules/auth/code/contract.ts';
import { mountLoginCodes } from '../modules/auth/code/routes.ts';
import * as consents from '../modules/auth/consents/contract.ts';
import { mountConsents } from '../modules/auth/consents/routes.ts';
import * as email from '../modules/auth/email/contract.ts';
import { mountEmail } from '../modules/auth/email/routes.ts';
import * as factors from '../modules/auth/factors/contract.ts';
import { mountFactors } from '../modules/auth/factors/routes.ts';
import * as keys from '../modules/auth/keys/contract.ts';
import { mountKeys } from '../modules/auth/keys/routes.ts';
import * as auth from '../modules/auth/login/contract.ts';
import * as pageLogins from '../modules/auth/login/page-contract.ts';
import { mountAuth } from '../modules/auth/login/routes.ts';
import * as loginPhone from '../modules/auth/phones/contract.ts';
import { mountLoginPhone } from '../modules/auth/phones/routes.ts';
import * as reauthentication from '../modules/auth/reauthentication/contract.ts';
import { mountReauthentication } from '../modules/auth/reauthentication/routes.ts';
import * as checkIns from '../modules/booking/arrivals/contract.ts';
import { mountCheckIns } from '../modules/booking/arrivals/routes.ts';
import * as bookings from '../modules/booking/changes/contract.ts';
import * as resolving from '../modules/booking/closures/contract.ts';
import { mountClosureResolving } from '../modules/booking/closures/routes.ts';
import * as confirming from '../modules/booking/confirming/contract.ts';
import { mountConfirming } from '../modules/booking/confirming/routes.ts';
import * as feeds from '../modules/booking/feeds/contract.ts';
import { mountFeeds } from '../modules/booking/feeds/routes.ts';
import * as holds from '../modules/booking/holds/contract.ts';
import { mountHolds } from '../modules/booking/holds/routes.ts';
import * as visitImports from '../modules/booking/import/contract.ts';
import { mountVisitImports } from '../modules/booking/import/routes.ts';
import * as bookingLists from '../modules/booking/listing/contract.ts';
import { mountListing } from '../modules/booking/listing/routes.ts';
import * as questions from '../modules/booking/questions/contract.ts';
import { mountQuestions } from '../modules/booking/questions/routes.ts';
import * as queues from '../modules/booking/queue/contract.ts';
import { mountQueues } from '../modules/booking/queue/routes.ts';
import * as bookingReads from '../modules/booking/reading/contract.ts';
import { mountBookings } from '../modules/booking/routes.ts';
import * as series from '../modules/booking/series/contract.ts';
import { mountSeries } from '../modules/booking/series/routes.ts';
import * as clinic from '../modules/booking/staff/contract.ts';
import { mountClinic } from '../modules/booking/staff/routes.ts';
import * as statistics from '../modules/booking/statistics/contract.ts';
import { mountStatistics } from '../modules/booking/statistics/routes.ts';
import * as waitlist from '../modules/booking/waitlist/contract.ts';
import { mountWaitlist } from '../modules/booking/waitlist/routes.ts';
import * as clinicProfile from '../modules/catalog/clinic/contract.ts';
import { mountClinicProfile } from '../modules/catalog/clinic/routes.ts';
import * as adminClosures from '../modules/catalog/closures/contract.ts';
import { mountClosuresAdmin } from '../modules/catalog/closures/routes.ts';
import * as adminDoctors from '../modules/catalog/doctors/contract.ts';
import { mountDoctorsAdmin } from '../modules/catalog/doctors/routes.ts';
import * as holidays from '../modules/catalog/holidays/contract.ts';
import { mountHolidays } from '../modules/catalog/holidays/routes.ts';
import * as doctorPages from '../modules/catalog/pages/contract.ts';
import { mountDoctorPageEndpoints } from '../modules/catalog/pages/routes.ts';
import * as adminSchedules from '../modules/catalog/schedules/contract.ts';
import { mountSchedulesAdmin } from '../modules/catalog/schedules/routes.ts';
import * as adminSessions from '../modules/catalog/sessions/contract.ts';
import { mountSessionsAdmin } from '../modules/catalog/sessions/routes.ts';
import * as catalog from '../modules/catalog/slots/contract.ts';
import { mountCatalog } from '../modules/catalog/slots/routes.ts';
import * as events from '../modules/events/contract.ts';
import { mountEvents } from '../modules/events/routes.ts';
import * as exchanges from '../modules/exchange/contract.ts';
import { mountExchanges } from '../modules/exchange/routes.ts';
import * as dataExport from '../modules/exports/contract.ts';
import { mountDataExport } from '../modules/exports/routes.ts';
import type { Mount } from '../modules/handler.ts';
import * as health from '../modules/health/contract.ts';
import { mountHealth } from '../modules/health/routes.ts';
import * as notices from '../modules/notices/contract.ts';
import { mountNotices } from '../modules/notices/routes.ts';
import * as claims from '../modules/patients/claim/contract.ts';
import { mountClaims } from '../modules/patients/claim/routes.ts';
import * as patients from '../modules/patients/desk/contract.ts';
import { mountPatients } from '../modules/patients/desk/routes.ts';
import * as erasure from '../modules/patients/erasure/contract.ts';
import { mountErasure } from '../modules/patients/erasure/routes.ts';
import * as exporting from '../modules/patients/export/contract.ts';
import { mountExport } from '../modules/patients/export/routes.ts';
import * as family from '../modules/patients/family/contract.ts';
import { mountFamily } from '../modules/patients/family/routes.ts';
import * as imports from '../modules/patients/import/contract.ts';
import { mountImports } from '../modules/patients/import/routes.ts';
import * as matches from '../modules/patients/matches/contract.ts';
import { mountMatches } from '../modules/patients/matches/routes.ts';
import * as merges from '../modules/patients/merge/contract.ts';
import { mountMerges } from '../modules/patients/merge/routes.ts';
import * as people from '../modules/people/contract.ts';
import * as peoplesDevices from '../modules/people/devices-contract.ts';
import { mountPeople } from '../modules/people/routes.ts';
import * as setup from '../modules/setup/contract.ts';
import { mountSetup } from '../modules/setup/routes.ts';
import * as sso from '../modules/sso/contract.ts';
import { mountSso } from '../modules/sso/routes.ts';
import * as webhooks from '../modules/webhooks/contract.ts';
import { mountWebhooks } from '../modules/webhooks/routes.ts';

/** What answers the endpoints of each folder, in the order in which their routes are tried. */
export const mounts: readonly ((mount: Mount) => void)[] = [
  mountHealth,
  mountAuth,
  mountAccount,
  mountConsents,
  mountEmail,
  mountLoginCodes,
  mountLoginPhone,
  mountReauthentication,
  mountSso,
  mountFactors,
  mountAudit,
  mountKeys,
  mountCatalog,
  mountClinicProfile,
  mountDoctorsAdmin,
  mountDoctorPageEndpoints,
  mountSessionsAdmin,
  mountSchedulesAdmin,
  mountClosuresAdmin,
  mountHolidays,
  mountSetup,
  mountPeople,
  mountFamily,
  mountPatients,
  mountImports,
  mountVisitImports,
  mountExport,
  mountDataExport,
  mountErasure,
  mountMerges,
  mountClaims,
  mountMatches,
  mountStatistics,
  mountListing,
  mountBookings,
  mountQuestions,
  mountConfirming,
  mountWaitlist,
  mountHolds,
  mountSeries,
  mountFeeds,
  mountClosureResolving,
  mountWebhooks,
  mountEvents,
  mountExchanges,
  mountClinic,
  mountCheckIns,
  mountQueues,
  mountNotices,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value;

/** The contracts of each folder; a running service does not have this list, so that its bundle leaves it out. */
const collect = (): Readonly<Record<string, Endpoint>> => {
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
  return Object.fromEntries(Object.entries(declared).filter(([, value]) => isEndpoint(value))) as Record<
    string,
    Endpoint
  >;
};

/** Every contract, by its name: the reference and the tests are generated from these. */
export const contracts = /* @__PURE__ */ collect();
