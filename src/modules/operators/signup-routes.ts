import { Failure } from '../../core/endpoint/errors.ts';
import type { Serve } from '../../core/http/observed.ts';
import { type Mounting, readJson } from './mounting.ts';
import type { OperatorNeeds } from './needs.ts';
import { parseBy, proveShape, signupShape } from './shapes.ts';
import { approveSignup, askToSignUp, proveByToken, rejectSignup } from './signup.ts';
import { listSignups } from './signup-queries.ts';
import { viewSignup } from './views.ts';

const shownSignups = 50;

/** Mounts the requests of clinics that sign up, and the decisions about them. */
export const mountSignups = (serve: Serve, { mountOpen, mountFor }: Mounting, needs: OperatorNeeds): void => {
  const { db, clock, hosting, signup, log } = needs;
  mountFor('GET', '/signups', async () => ({
    status: 200,
    data: (await listSignups(db, clock(), shownSignups)).map(viewSignup),
  }));
  mountFor('POST', '/signups/:id/approve', async (c, { email: operator }) => {
    const approved = await approveSignup({ ...needs, operator }, c.req.param('id') ?? '');
    log.info('operator', { operator, act: 'signup_approved', clinic: approved.id });
    await hosting.changed(approved.id);
    return { status: 201, data: approved };
  });
  mountFor('POST', '/signups/:id/reject', async (c, { email: operator }) => {
    const { id } = await rejectSignup({ ...needs, operator }, c.req.param('id') ?? '');
    log.info('operator', { operator, act: 'signup_rejected', clinic: id });
    return { status: 200, data: { id } };
  });
  if (signup === null) {
    // The page is not there either.
    serve('GET', '/operator/signup/*', () => {
      throw new Failure('not_found');
    });
    return;
  }
  const asking = { ...needs, ...signup };
  mountOpen('POST', '/signups', async (c) => {
    const asked = parseBy(signupShape(), await readJson(c));
    const address = needs.clientAddress(c.req.raw, c.env.bindings);
    await askToSignUp(asking, asked, c.get('arrival').language, address);
    return { status: 202, data: null };
  });
  mountOpen('POST', '/signups/prove', async (c) => {
    await proveByToken(asking, parseBy(proveShape(), await readJson(c)).token);
    return { status: 200, data: null };
  });
};
