import { run } from '../../core/db/db.ts';
import type { BesideSandbox, OpenSandbox } from '../../core/deps.ts';
import type { FailureFormat } from '../../core/http/early-failure.ts';
import { testKeyStart } from '../auth/bearer.ts';
import { keyClaims } from '../auth/keys/key.ts';
import { findKnownKey } from '../auth/keys/queries.ts';
import { bpjsPath } from '../bpjs/inbound/dialect.ts';
import { openToken } from '../bpjs/inbound/token.ts';
import { refuseAtClinic } from '../clinics/refusals.ts';

// The key decides where a request goes: one with a test key reaches the sandbox or nothing, whatever it asks for.

type Fetch = (request: Request, bindings?: unknown) => Response | Promise<Response>;

/** Answers what is the clinic's own; the Authorization header is handed on, since it was read. */
type ClinicFetch = (
  request: Request,
  bindings: unknown,
  authorization: string | null,
) => Response | Promise<Response>;

/** However it is sent: a program that sends it wrongly means the sandbox too. */
const namesTestKey = new RegExp(testKeyStart, 'i');
const testKeyForm = new RegExp(`^bearer +(${testKeyStart}\\S*)$`, 'i');

/** Where Mobile JKN sends its key, and the token that it got for that. */
const ofBpjs = ['x-password', 'x-token'];

/** The test key of a request, empty for what is merely meant for one; undefined where there is none. */
const sentKey = ({ url, headers }: Request, authorization: string | null): string | undefined => {
  if (authorization !== null && namesTestKey.test(authorization))
    return testKeyForm.exec(authorization)?.[1] ?? '';
  if (!url.includes(bpjsPath)) return undefined;
  return ofBpjs.map((name) => headers.get(name) ?? '').find((text) => namesTestKey.test(text));
};

/** Whether a request has a test key, or something that is meant for one. */
export const hasTestKey = ({ headers }: Request): boolean =>
  namesTestKey.test(headers.get('authorization') ?? '');

/** The header of each answer of the sandbox, so that nobody takes it for the clinic's. */
const sandboxHeader = 'X-Sandbox';

const marked = (answer: Response): Response => {
  const headers = new Headers(answer.headers);
  headers.set(sandboxHeader, 'true');
  // A shared cache would give what is public to everybody who asks the clinic under the same address.
  if (headers.get('Cache-Control')?.startsWith('public')) headers.set('Cache-Control', 'private, no-cache');
  return new Response(answer.body, { status: answer.status, headers });
};

/** A shared cache tells by this header whom an answer of the clinic's is for: a test key gets another one at its address. */
const apart = (answer: Response): Response => {
  const { headers } = answer;
  if (!headers.get('Vary')?.includes('Authorization')) headers.append('Vary', 'Authorization');
  return answer;
};

/** Whether the sandbox made a key, or a token of one. Its mark proves that; after a change of DATA_KEY only the database does. */
const isSandboxKey = async ({ deps }: OpenSandbox, key: string): Promise<boolean> => {
  const claims = (await openToken(deps, key, deps.clock())) ?? (await keyClaims(deps.tokenKeys, key));
  if (claims === null) return false;
  const known = findKnownKey(deps.db, { id: claims.userId, hash: claims.hash });
  return claims.isProved || (await run(deps.db, known)).length > 0;
};

/**
 * Sends requests with a test key to the sandbox. It is refused without one beside the clinic, and unless the sandbox made
 * the key: public endpoints ask for no key, and would act on the clinic, or let everybody into the sandbox.
 */
export const withTestKeys =
  (
    fetch: ClinicFetch,
    beside: BesideSandbox | undefined,
    formats: readonly FailureFormat[],
    origins: readonly string[] = [],
  ): Fetch =>
  (request, bindings) => {
    const authorization = request.headers.get('authorization');
    const key = sentKey(request, authorization);
    if (key === undefined) {
      const own = fetch(request, bindings, authorization);
      if (beside === undefined) return own;
      return own instanceof Promise ? own.then(apart) : apart(own);
    }
    const answer = async (): Promise<Response> => {
      try {
        const sandbox = await beside?.open();
        if (!sandbox || !(await isSandboxKey(sandbox, key)))
          return refuseAtClinic(request, 'unauthenticated', formats, { origins });
        return marked(await sandbox.fetch(request, bindings));
      } catch {
        // That the sandbox or its database is away is no failure of the clinic's.
        return marked(refuseAtClinic(request, 'unavailable', formats, { origins }));
      }
    };
    return answer();
  };
