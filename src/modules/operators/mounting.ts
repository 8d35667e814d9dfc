import type { Context } from 'hono';
import type { Statement } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { readBody } from '../../core/http/body.ts';
import type { AppEnv } from '../../core/http/context.ts';
import type { Serve } from '../../core/http/observed.ts';
import { assertSameOrigin } from '../../core/http/pages/same-origin.ts';
import { type Answer, jsonContent, respond } from '../../core/http/respond.ts';
import { type ClinicEntry, findClinic } from '../clinics/queries.ts';
import { type Caller, identify } from './caller.ts';
import type { OperatorNeeds } from './needs.ts';
import { recordAct } from './queries.ts';
import { OperatorRefusal, operatorRefusals } from './refusals.ts';
import type { OperatorAct } from './tables.ts';
import { viewClinic } from './views.ts';

export const readJson = async (c: Context<AppEnv>): Promise<unknown> => {
  const text = await readBody(c.req, false);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('malformed_json');
  }
};

/** A refusal as every failure of the interface is said. */
const refuse = (c: Context<AppEnv>, { code, extras }: OperatorRefusal) => {
  const { status, ...sentence } = operatorRefusals[code];
  const { language, requestId } = c.get('arrival');
  const message = sentence[language];
  const body = { status: 'error', code, message, request_id: requestId, ...extras };
  return respond(c, {
    status,
    raw: JSON.stringify(body),
    headers: { ...jsonContent, 'Content-Language': language },
  });
};

/** What the routes of operators share. */
export const createMounting = (serve: Serve, needs: OperatorNeeds) => {
  const { db, clock, hosting, log } = needs;
  const mount = (method: string, path: string, answer: (c: Context<AppEnv>) => Promise<Answer>): void =>
    serve(method, `/operator/api${path}`, async (c) => {
      try {
        return await respond(c, await answer(c));
      } catch (error) {
        if (error instanceof OperatorRefusal) return refuse(c, error);
        throw error;
      }
    });
  const recorded = (
    { email }: Caller,
    act: OperatorAct,
    { id, name }: Pick<ClinicEntry, 'id' | 'name'>,
  ): Statement => {
    log.info('operator', { operator: email, act, clinic: id });
    return recordAct(db, { at: clock(), operator: email, act, clinicId: id, clinicName: name });
  };
  const mountFor = (
    method: string,
    path: string,
    answer: (c: Context<AppEnv>, caller: Caller) => Promise<Answer>,
  ): void => mount(method, path, async (c) => answer(c, await identify(c, needs)));
  return {
    /** For requests of the page itself. */
    mountOpen: (method: string, path: string, answer: (c: Context<AppEnv>) => Promise<Answer>): void =>
      mount(method, path, async (c) => {
        assertSameOrigin((name) => c.req.header(name));
        return answer(c);
      }),
    /** For operators. */
    mountFor,
    /** For programs with the secret: nobody on the page reads or replaces what a clinic holds. */
    mountForSecret: (...[method, path, answer]: Parameters<typeof mountFor>): void =>
      mountFor(method, path, async (c, caller) => {
        if (caller.session !== null) throw new OperatorRefusal('secret_required');
        return answer(c, caller);
      }),
    /** The clinic that the path names, by its id or a host. */
    findNamed: async (c: Context<AppEnv>): Promise<ClinicEntry> => {
      const clinic = await findClinic(db, c.req.param('id') ?? '');
      if (clinic === null) throw new Failure('not_found');
      return clinic;
    },
    /** The line of an act, for the step that does it. */
    recorded,
    view: async (clinic: ClinicEntry) => viewClinic(clinic, await hosting.look(clinic)),
  };
};

export type Mounting = ReturnType<typeof createMounting>;
