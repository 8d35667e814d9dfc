import * as z from 'zod/mini';
import { recordFields, shownInstant, shownInstantOrNull } from '../../../core/db/record-fields.ts';
import { type Scope, scopes } from '../../../core/endpoint/endpoint.ts';
import { describedAs, instant, must, name, uuid } from '../../../core/endpoint/fields.ts';
import { apiKeys } from '../../../core/tables/keys.ts';

const granted = () => z.array(z.enum(scopes));

/** The stored scopes of a key, without those that no longer exist: `queue:read` and `statistics:write`. */
const scopesIn = (kept: string): Scope[] => {
  const granted = JSON.parse(kept) as string[];
  return scopes.filter((scope) => granted.includes(scope));
};

/** The fields of an API key that people read and write. */
export const keyFields = recordFields(apiKeys, ['hash'], {
  id: { answer: uuid },
  name: { write: name, answer: z.string },
  prefix: { answer: z.string },
  scopes: {
    write: () => describedAs(granted().check(must((given) => given.length > 0, 'required')), { minItems: 1 }),
    answer: granted,
    store: (given: Scope[]) => JSON.stringify([...new Set(given)]),
    show: scopesIn,
  },
  status: {
    answer: () => z.enum(['active', 'expired', 'revoked']),
    meaning: 'Only an active one opens anything.',
  },
  createdBy: { answer: uuid },
  createdAt: shownInstant,
  expiresAt: {
    ...shownInstantOrNull,
    write: () => z.nullable(instant()),
    otherwise: null,
    store: (given: string | null) => (given === null ? null : Date.parse(given)),
  },
  lastUsedAt: shownInstantOrNull,
  revokedAt: shownInstantOrNull,
});
