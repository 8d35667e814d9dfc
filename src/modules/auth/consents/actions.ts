import { reading, run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { eventRow } from '../audit/queries.ts';
import type { AuthenticatedContext } from '../context.ts';
import type * as contract from './contract.ts';
import { type ConsentRow, findConsents, findNotice, insertConsent, recordConsent } from './queries.ts';
import { consentView } from './views.ts';

const maxShown = 50;

export const consentsRead = ({ db }: Deps, userId: string) =>
  reading({ notices: findNotice(db, {}), log: findConsents(db, { userId, limit: maxShown }) });

type Notice = ReturnType<typeof findNotice>['_']['result'][number];

export const consentsView = (notice: Notice | undefined, log: readonly ConsentRow[]) => {
  const [last] = log;
  const { version = null, url = null } = notice ?? {};
  return {
    consent_version: version,
    privacy_notice_url: url,
    agreed: version !== null && last?.kind === 'given' && last.version === version,
    log: log.map(consentView),
  };
};

const otherVersion = () =>
  new Failure('validation_failed', { issues: [{ path: 'consent_version', rule: 'consent_version' }] });

/** Records a person's answer to the privacy notice; nothing if it is the same as before. */
export const sayConsent = async (
  { deps, now, requestId, actor }: AuthenticatedContext,
  { consent_version: version, given }: BodyOf<typeof contract.SayConsent>,
) => {
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const kind = given ? 'given' : 'withdrawn';
  const event = eventRow({
    writeId: deps.newId(),
    type: `consent_${kind}`,
    userId,
    actorId: userId,
    deviceLoginId,
    requestId,
    now,
    detail: { version },
  });
  const said = { kind, version };
  const {
    said: {
      notices: [notice],
      log,
    },
  } = await runAll(db, {
    recorded: recordConsent(db, { ...event, ...said }),
    inserted: insertConsent(db, { ...said, writeId: event.writeId, userId, now }),
    said: consentsRead(deps, userId),
  });
  const [last] = log;
  const isAsSaid = given ? last?.kind === 'given' && last.version === version : last?.kind !== 'given';
  if (!isAsSaid || (given && notice?.version !== version)) throw otherVersion();
  return consentsView(notice, log);
};

/** Throws unless the version consented to at registration is the one in force; null if there is none. */
export const agreedVersion = async ({ db }: Deps, version: string | undefined): Promise<string | null> => {
  if (version === undefined) return null;
  const [notice] = await run(db, findNotice(db, {}));
  const inForce = notice?.version ?? null;
  if (inForce !== null && inForce !== version) throw otherVersion();
  return inForce;
};
