import type { Role } from '../../endpoint/endpoint.ts';

/** Who makes a change, in which request, and when. */
export interface Author {
  actorId: string;
  role: Role | 'api_key';
  /** Null for an API key. */
  deviceLoginId: string | null;
  requestId: string;
  now: number;
}

/** The names of the fields in a change, for the audit trail; never their values. */
export const fieldsIn = ({ version: _, ...given }: Readonly<Record<string, unknown>>): string =>
  Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .join(',');
