import type { Context } from 'hono';
import { violatedUnique } from '../../core/db/conflict.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppEnv } from '../../core/http/context.ts';
import type { Serve } from '../../core/http/observed.ts';
import { hostCookie, hostCookieIn } from '../../core/http/pages/cookies.ts';
import { assertSameOrigin } from '../../core/http/pages/same-origin.ts';
import { type Answer, respond } from '../../core/http/respond.ts';
import { type ClinicEntry, countClinics, findClinic, searchClinics, setState } from '../clinics/queries.ts';
import { logIn, logOut, readSession, type Session } from './login.ts';
import type { OperatorNeeds } from './needs.ts';
import { listActs, noteAct } from './queries.ts';
import { clinicsOfPage } from './rules.ts';
import { listShape, loginShape, newClinicShape, parseBy, proveShape, signupShape } from './shapes.ts';
import { approveSignup, askToSignUp, proveByToken, rejectSignup } from './signup.ts';
import { listSignups } from './signup-queries.ts';
import type { OperatorAct } from './tables.ts';
import { viewAct, viewClinic, viewSignup } from './views.ts';

const cookieName = 'janji-operator';
const shownActs = 20;
const shownSignups = 50;
/** How many clinics are looked at together. */
const lookedAtOnce = 4;

const tokenOf = (c: Context<AppEnv>): string | undefined => hostCookieIn(c.req.header('Cookie'), cookieName);

const readJson = async (c: Context<AppEnv>): Promise<unknown> => {
  const text = await readBody(c.req, false);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('malformed_json');
  }
};

/** In turns of a few: each may open a database. */
const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += lookedAtOnce)
    done.push(...(await Promise.all(items.slice(at, at + lookedAtOnce).map(work))));
  return done;
};

/**
 * The operators' interface below `/operator/api`, on hosts that are no clinic's: the same on every runtime, over the
 * directory. It shows what the directory knows and a clinic's figures, and no record of any clinic.
 */
export const mountOperators = (serve: Serve, needs: OperatorNeeds): void => {
  const { db, clock, premises, log } = needs;

  const mount = (method: string, path: string, answer: (c: Context<AppEnv>) => Promise<Answer>): void =>
    serve(method, `/operator/api${path}`, async (c) => {
      // The cookie comes by itself with whatever a page of another site asks for.
      assertSameOrigin((name) => c.req.header(name));
      return respond(c, await answer(c));
    });
  /** The same for an operator who is logged in. */
  const mountFor = (
    method: string,
    path: string,
    answer: (c: Context<AppEnv>, session: Session) => Promise<Answer>,
  ): void => mount(method, path, async (c) => answer(c, await readSession(needs, tokenOf(c))));

  const viewSession = ({ email, endsAt }: Session) => ({
    email,
    ends_at: toIso(endsAt),
    time_zone: premises.timeZone,
  });

  mount('POST', '/login', async (c) => {
    const proof = parseBy(loginShape(), await readJson(c));
    const token = await logIn(needs, proof, needs.clientAddress(c.req.raw, c.env));
    log.info('operator', { operator: proof.email, act: 'logged_in' });
    return {
      status: 200,
      data: viewSession(await readSession(needs, token)),
      // It ends with the browser, and before that with the login.
      cookies: [hostCookie(cookieName, token)],
    };
  });
  mountFor('GET', '/session', async (_, session) => ({ status: 200, data: viewSession(session) }));
  mount('DELETE', '/session', async (c) => {
    await logOut(needs, tokenOf(c));
    return { status: 200, data: null, cookies: [hostCookie(cookieName, '', 0)] };
  });

  const view = async (clinic: ClinicEntry) => viewClinic(clinic, await premises.look(clinic));
  const findNamed = async (c: Context<AppEnv>): Promise<ClinicEntry> => {
    const clinic = await findClinic(db, c.req.param('id') ?? '');
    if (clinic === null) throw new Failure('not_found');
    return clinic;
  };
  const note = async (
    { email }: Session,
    act: Exclude<OperatorAct, 'logged_in'>,
    { id, name }: Pick<ClinicEntry, 'id' | 'name'>,
  ): Promise<void> => {
    premises.changed(id);
    log.info('operator', { operator: email, act, clinic: id });
    await noteAct(db, { at: clock(), operator: email, act, clinicId: id, clinicName: name });
  };

  mountFor('GET', '/clinics', async (c) => {
    const { q = '', state, page = 1 } = parseBy(listShape(), c.req.query(), 'invalid_query');
    const offset = (page - 1) * clinicsOfPage;
    const [counts, { found, total }] = await Promise.all([
      countClinics(db),
      searchClinics(db, { text: q.trim(), state, limit: clinicsOfPage, offset }),
    ]);
    return {
      status: 200,
      data: await inTurns(found, view),
      meta: { page, pages: Math.max(1, Math.ceil(total / clinicsOfPage)), total, ...counts },
    };
  });
  mountFor('GET', '/clinics/:id', async (c) => ({ status: 200, data: await view(await findNamed(c)) }));
  mountFor('POST', '/clinics', async (c, session) => {
    const { name, host, time_zone: timeZone, admin } = parseBy(newClinicShape(), await readJson(c));
    const taken = () => new Failure('validation_failed', { issues: [{ path: 'host', rule: 'taken' }] });
    if ((await findClinic(db, host)) !== null) throw taken();
    const { id, link } = await premises
      .add({ name, hosts: [host], timeZone, admin })
      .catch((error: unknown) => {
        throw violatedUnique(error) === 'hosts.host' ? taken() : error;
      });
    await note(session, 'clinic_added', { id, name });
    const clinic = await findClinic(db, id);
    if (clinic === null) throw new Failure('not_found');
    return { status: 201, data: { ...(await view(clinic)), link, admin: admin ?? null } };
  });
  for (const [verb, state] of [
    ['close', 'closed'],
    ['open', 'open'],
  ] as const)
    mountFor('POST', `/clinics/:id/${verb}`, async (c, session) => {
      const before = await findNamed(c);
      // Opening one that is broken lets it be tried again at once.
      if (before.state !== state || before.problem !== null) await setState(db, before.id, state, clock());
      await note(session, state === 'closed' ? 'clinic_closed' : 'clinic_opened', before);
      return { status: 200, data: await view(await findNamed(c)) };
    });
  mountFor('GET', '/signups', async () => ({
    status: 200,
    data: (await listSignups(db, clock(), shownSignups)).map(viewSignup),
  }));
  mountFor('POST', '/signups/:id/approve', async (c, session) => {
    const approved = await approveSignup(needs, c.req.param('id') ?? '');
    await note(session, 'signup_approved', approved);
    return { status: 201, data: approved };
  });
  mountFor('POST', '/signups/:id/reject', async (c, session) => {
    const { id, name } = await rejectSignup(needs, c.req.param('id') ?? '');
    await note(session, 'signup_rejected', { id, name });
    return { status: 200, data: { id } };
  });
  const { signup } = needs;
  if (signup !== null) {
    const asking = { ...needs, ...signup };
    mount('POST', '/signups', async (c) => {
      const asked = parseBy(signupShape(), await readJson(c));
      const address = needs.clientAddress(c.req.raw, c.env);
      await askToSignUp(asking, asked, c.get('arrival').language, address);
      return { status: 202, data: null };
    });
    mount('POST', '/signups/prove', async (c) => {
      await proveByToken(asking, parseBy(proveShape(), await readJson(c)).token);
      return { status: 200, data: null };
    });
  }
  // The page is not there either.
  else
    serve('GET', '/operator/signup/*', () => {
      throw new Failure('not_found');
    });
  mountFor('GET', '/acts', async () => ({
    status: 200,
    data: (await listActs(db, shownActs)).map(viewAct),
  }));
};
