import { changeEvent, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { type RuleName, ruleNames, rulesOf, setByEnvironment } from '../../clinic/rules.ts';
import { toBase64Url } from '../../crypto/base64url.ts';
import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { changeAsRead } from '../change.ts';
import { findClinic } from '../slots/queries.ts';
import type { ChangeClinic } from './contract.ts';
import { type ClinicRow, storeLogo, sweepLogos, updateClinic } from './queries.ts';
import { bytesOf, contentTypeOf } from './rules.ts';

type Change = BodyOf<typeof ChangeClinic>;

/** A rule's name in the interface. */
const fieldOf = {
  minNoticeMinutes: 'min_notice_minutes',
  maxAdvanceDays: 'max_advance_days',
  cancelLeadMinutes: 'cancel_lead_minutes',
  maxLiveBookings: 'max_live_bookings',
  maxUnprovedBookings: 'max_unproved_bookings',
  retentionYears: 'retention_years',
} as const satisfies Record<RuleName, keyof Change>;

const shownOf = ({ clinicTime }: Deps, now: number, row: ClinicRow) => ({
  name: row.name,
  address: row.address,
  phone: row.phone,
  logo_url: row.logoUrl,
  logo: row.logoTag === null ? null : `/logo/${row.logoTag}`,
  color: row.color,
  time_zone: clinicTime.zone,
  today: clinicTime.dateOf(now),
  languages: ['id', 'en'],
  consent_version: row.consentVersion,
  privacy_notice_url: row.privacyNoticeUrl,
});

/** The clinic as everybody sees it, with the rules that a patient meets. */
export const clinicView = (deps: Deps, now: number, row: ClinicRow) => {
  const rules = rulesOf(deps.config, row);
  return {
    ...shownOf(deps, now, row),
    min_notice_minutes: rules.minNoticeMinutes,
    max_advance_days: rules.maxAdvanceDays,
    cancel_lead_minutes: rules.cancelLeadMinutes,
    max_live_bookings: rules.maxLiveBookings,
  };
};

/** The clinic as admins see it. */
export const adminClinicView = (deps: Deps, now: number, row: ClinicRow) => ({
  ...clinicView(deps, now, row),
  max_unproved_bookings: rulesOf(deps.config, row).maxUnprovedBookings,
  retention_years: rulesOf(deps.config, row).retentionYears,
  version: row.version,
  set_by_environment: setByEnvironment(deps.config).map((name) => fieldOf[name]),
});

const assertOpen = ({ config }: Deps, input: Change): void => {
  const fields = setByEnvironment(config)
    .map((name) => fieldOf[name])
    .filter((field) => input[field] !== undefined);
  if (fields.length > 0) throw new Failure('set_by_environment', { extras: { fields } });
};

/** A logo as it is stored: under the hash of its content, so that another one has another address. */
const logoRow = async (content: string) => ({
  tag: toBase64Url((await crypto.subtle.digest('SHA-256', bytesOf(content))).slice(0, 15)),
  contentType: contentTypeOf(content) ?? '',
  content,
});

/** Changes the clinic; a new rule raises its calendar's version, so that what was decided on the old ones is decided again. */
export const changeClinic = async (deps: Deps, by: Author, input: Change) => {
  assertOpen(deps, input);
  const logo = input.logo_image ? await logoRow(input.logo_image) : null;
  return changeAsRead(
    input.version,
    () => run(deps.db, findClinic(deps.db, {})),
    async (row) => {
      const rules = Object.fromEntries(ruleNames.map((name) => [name, input[fieldOf[name]] ?? row[name]]));
      const after: ClinicRow = {
        ...row,
        name: input.name ?? row.name,
        address: input.address ?? row.address,
        phone: input.phone ?? row.phone,
        logoUrl: input.logo_url === undefined ? row.logoUrl : input.logo_url,
        logoTag: input.logo_image === undefined ? row.logoTag : (logo?.tag ?? null),
        color: input.color === undefined ? row.color : input.color,
        consentVersion: input.consent_version === undefined ? row.consentVersion : input.consent_version,
        privacyNoticeUrl:
          input.privacy_notice_url === undefined ? row.privacyNoticeUrl : input.privacy_notice_url,
        ...rules,
        version: row.version + 1,
      };
      const {
        written: [written],
      } = await runAll(deps.db, {
        written: updateClinic(
          deps.db,
          after,
          ruleNames.some((name) => after[name] !== row[name]),
        ),
        // Must follow the update directly: it is recorded only if that statement changed a row.
        recorded: recordIfChanged(deps.db, changeEvent(deps, by, 'clinic_changed', {}, input)),
        logo: logo === null ? [] : [storeLogo(deps.db, logo)],
        swept: input.logo_image === undefined ? [] : [sweepLogos(deps.db)],
      });
      return written === undefined ? null : adminClinicView(deps, by.now, written);
    },
  );
};
