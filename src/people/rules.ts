// Pure: what a change of somebody's role means.

import type { Role } from '../endpoint/endpoint.ts';

interface Holder {
  role: Role;
  invitedAt: number | null;
}

/** An account that its owner registered is given rights: whatever opened it before must open it no more. */
export const isTakenOver = (before: Holder, role: Role): boolean =>
  before.invitedAt === null && role !== 'patient' && before.role !== 'admin';
