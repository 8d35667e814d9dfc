import { runAll } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { ownEvent } from '../auth/audit/own-event.ts';
import { eventRow, findRecorded } from '../auth/audit/queries.ts';
import type { AuthenticatedContext } from '../auth/context.ts';
import { recordFailedLogin } from '../auth/login/actions.ts';
import { parseOwner } from '../auth/owner.ts';
import { noteProof } from '../auth/reauthentication/queries.ts';
import { confirmsBySso } from '../auth/rules.ts';
import type { Attempt } from '../auth/throttle/throttled.ts';
import { openBegun, sealBegun } from './actions.ts';
import { beginAtIssuer, finishAtIssuer, hasIssuer } from './issuer.ts';
import { recordBySso } from './queries.ts';
import { confirmsAccount, type Person } from './rules.ts';

/** Throws unless the clinic has a provider, and the account a person there who takes the place of its password. */
export const assertConfirmable = ({ deps, login }: AuthenticatedContext): void => {
  if (!hasIssuer(deps.config)) throw new Failure('not_found');
  if (!confirmsBySso(deps.config, login)) throw new Failure('sso_confirmation_unavailable');
};

/** What is sealed for one login is good for no other one, and for logging in neither. */
const useOf = ({ actor: { userId, deviceLoginId } }: AuthenticatedContext): string =>
  `sso-confirm:${userId}:${deviceLoginId}`;

/** Where the browser goes, and what proves afterwards that this login asked. */
export const beginConfirmation = async (context: AuthenticatedContext) => {
  const { deps, now } = context;
  const { url, begun } = await beginAtIssuer(deps, now, true);
  const challenge = await sealBegun(deps, begun, now, useOf(context));
  return { url, challenge };
};

const isOwn = ({ deps: { config }, login }: AuthenticatedContext, person: Person): boolean => {
  const { role, ssoSubject } = login;
  const account = { role, ssoSubject, email: parseOwner(login).email, deactivatedAt: null };
  return confirmsAccount(account, person, {
    domains: config.OIDC_DOMAINS,
    breakGlass: config.OIDC_BREAK_GLASS,
  });
};

/** The login counts as new from now on, if the provider says that its owner has just logged in there. */
export const confirmBySso = async (
  context: AuthenticatedContext & { body: { response: string; challenge: string } },
  attempt: Attempt,
): Promise<void> => {
  const { deps, now, actor, body } = context;
  const { db } = deps;
  const { userId, deviceLoginId: id } = actor;
  const begun = await openBegun(deps, body.challenge, now, useOf(context));
  if (begun === null) throw new Failure('sso_confirmation_failed');
  const person = await finishAtIssuer(deps, now, body.response, begun, begun.begunAt);
  const { network } = attempt;
  const event = eventRow({
    ...ownEvent(context, actor),
    type: 'reauthenticated',
    network,
    detail: { by: 'sso' },
  });
  const { writeId } = event;
  const isRecorded =
    person !== null &&
    isOwn(context, person) &&
    (
      await runAll(db, {
        event: recordBySso(db, { ...event, subject: person.subject, begunAt: begun.begunAt }),
        login: noteProof(db, { id, now, writeId }),
        recorded: findRecorded(db, { writeId }),
      })
    ).recorded.length > 0;
  if (isRecorded) return;
  await recordFailedLogin(context, { id: userId }, attempt);
  throw new Failure('sso_confirmation_failed');
};
