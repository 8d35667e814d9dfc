// Pure: the effects of a change of a person's role.

import type { Role } from '../../core/endpoint/endpoint.ts';

interface Holder {
  role: Role;
  invitedAt: number | null;
}

/** True when a self-registered account gets rights: its old password must no longer open it. */
export const isTakenOver = (before: Holder, role: Role): boolean =>
  before.invitedAt === null && role !== 'patient' && before.role !== 'admin';
