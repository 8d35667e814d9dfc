import { toIso } from '../../core/endpoint/instants.ts';
import type { Serve } from '../../core/http/observed.ts';
import { hostCookie } from '../../core/http/pages/cookies.ts';
import { mountAccounts } from './account-routes.ts';
import { type Caller, cookieName, readToken } from './caller.ts';
import { mountClinics } from './clinic-routes.ts';
import { mountCopies } from './copy-routes.ts';
import { logIn, logOut, readSession } from './login.ts';
import { createMounting, readJson } from './mounting.ts';
import type { OperatorNeeds } from './needs.ts';
import { listActs } from './queries.ts';
import { loginShape, parseBy } from './shapes.ts';
import { mountSignups } from './signup-routes.ts';
import { viewAct } from './views.ts';

const shownActs = 20;

/**
 * The operators' interface below `/operator/api`, on hosts that are no clinic's: the same on every runtime, over the
 * directory, for people on the page and for programs with OPERATOR_SECRET. It shows what the directory knows and a clinic's
 * figures, and no record of any clinic but in a copy of all of them.
 */
export const mountOperators = (serve: Serve, needs: OperatorNeeds): void => {
  const { db, hosting, log } = needs;
  const mounting = createMounting(serve, needs);
  const { mountOpen, mountFor } = mounting;

  const viewSession = ({ email, session }: Caller) => ({
    email,
    ends_at: session && toIso(session.endsAt),
    time_zone: hosting.timeZone,
  });

  mountOpen('POST', '/login', async (c) => {
    const proof = parseBy(loginShape(), await readJson(c));
    const token = await logIn(needs, proof, needs.clientAddress(c.req.raw, c.env.bindings));
    log.info('operator', { operator: proof.email, act: 'logged_in' });
    const session = await readSession(needs, token);
    return {
      status: 200,
      data: viewSession({ email: session.email, session }),
      // It ends with the browser, and before that with the login.
      cookies: [hostCookie(cookieName, token)],
    };
  });
  mountFor('GET', '/session', async (_, caller) => ({ status: 200, data: viewSession(caller) }));
  mountOpen('DELETE', '/session', async (c) => {
    await logOut(needs, readToken(c));
    return { status: 200, data: null, cookies: [hostCookie(cookieName, '', 0)] };
  });
  mountClinics(mounting, needs);
  mountCopies(mounting, needs);
  mountSignups(serve, mounting, needs);
  mountAccounts(mounting, needs);
  mountFor('GET', '/acts', async () => ({
    status: 200,
    data: (await listActs(db, shownActs)).map(viewAct),
  }));
};
