import { resolveRules, ruleNames, setByEnvironment } from '../../../core/clinic/rules.ts';
import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { snake } from '../../../core/db/record-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { languages } from '../../../core/endpoint/messages.ts';
import { listReported } from '../../../core/settings/config.ts';
import { takesMailCodes, takesPhoneCodes } from '../../../core/takes-codes.ts';
import { changeEvent, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { changeAsRead } from '../change.ts';
import { findClinic } from '../slots/queries.ts';
import type { ChangeClinic } from './contract.ts';
import { clinicFields } from './fields.ts';
import { type ClinicRow, storeLogo, sweepLogos, updateClinic } from './queries.ts';
import { decodeBytes, detectContentType } from './rules.ts';

type Change = BodyOf<typeof ChangeClinic>;

/** Fields that a setting can override are computed before they are shown. */
const computed = ({ clinicTime }: Deps, now: number, row: ClinicRow) => ({
  logo: row.logoTag === null ? null : `/logo/${row.logoTag}`,
  time_zone: clinicTime.zone,
  today: clinicTime.dateOf(now),
  languages: [...languages],
});

const inForce = ({ config }: Deps, row: ClinicRow) => ({ ...row, ...resolveRules(config, row) });

/** The public data of the clinic, with the rules that apply to patients. */
export const clinicView = (deps: Deps, now: number, row: ClinicRow) => ({
  ...clinicFields.publicView(inForce(deps, row)),
  ...computed(deps, now, row),
  reports_to: listReported(deps.config),
  staff_sso: deps.config.OIDC_ISSUER !== undefined,
  login_by_code: takesMailCodes(deps),
  login_by_phone_code: takesPhoneCodes(deps),
});

export const adminClinicView = (deps: Deps, now: number, row: ClinicRow) => ({
  ...clinicFields.view(inForce(deps, row)),
  ...computed(deps, now, row),
  version: row.version,
  set_by_environment: setByEnvironment(deps.config).map(snake),
});

const assertOpen = ({ config }: Deps, input: Change): void => {
  const fields = setByEnvironment(config)
    .map(snake)
    .filter((field) => input[field] !== undefined);
  if (fields.length > 0) throw new Failure('set_by_environment', { extras: { fields } });
};

/** A logo in its stored form: under the hash of its content, so that another logo has another address. */
const logoRow = async (content: string) => ({
  tag: toBase64Url((await crypto.subtle.digest('SHA-256', decodeBytes(content))).slice(0, 15)),
  contentType: detectContentType(content) ?? '',
  content,
});

/**
 * Changes the clinic. A new rule raises its calendar's version, so that decisions made by the old rules are made again.
 */
export const changeClinic = async (deps: Deps, by: Author, input: Change) => {
  assertOpen(deps, input);
  const logo = input.logo_image ? await logoRow(input.logo_image) : null;
  return changeAsRead(
    input.version,
    () => run(deps.db, findClinic(deps.db, {})),
    async (row) => {
      const after = {
        ...clinicFields.changed(row, input),
        logoTag: input.logo_image === undefined ? row.logoTag : (logo?.tag ?? null),
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
