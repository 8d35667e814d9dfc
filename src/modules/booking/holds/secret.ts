import { derive } from '../../../core/crypto/key-derivation.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { takesCodes } from '../../../core/takes-codes.ts';

/** The hash under which the hold of a secret is stored. */
export const hashSecret = ({ deps }: Pick<RequestContext, 'deps'>, secret: string): Promise<string> =>
  derive(deps.tokenKeys, 'hold', secret);

/** The hash of the secret that a request names; null without one, and where the clinic holds no slots. */
export const namedHold = async (context: Pick<RequestContext, 'deps' | 'header'>): Promise<string | null> => {
  const secret = context.header('X-Hold-Secret');
  return secret === undefined || !takesCodes(context.deps) ? null : hashSecret(context, secret);
};
