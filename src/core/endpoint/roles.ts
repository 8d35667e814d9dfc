export const roles = ['patient', 'doctor', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

/** As whom something is done: a person of a role, a key of the clinic, or the scheduler. */
export const actingRoles = ['patient', 'staff', 'doctor', 'admin', 'api_key', 'system'] as const;
export type ActingRole = (typeof actingRoles)[number];
