import type { RequestContext } from '../../../core/http/context.ts';

interface Login {
  userId: string;
  deviceLoginId?: string | null;
}

/** What each event has that people cause in their own account: who, when, and by which request and login. */
export const ownEvent = (
  { deps, now, requestId }: Pick<RequestContext, 'deps' | 'now' | 'requestId'>,
  { userId, deviceLoginId = null }: Login,
) => ({ writeId: deps.newId(), userId, actorId: userId, deviceLoginId, requestId, now });
