const resources = ['bookings', 'patients', 'catalog', 'queue', 'events', 'statistics'] as const;
const verbs = ['read', 'write'] as const;

/** What an API key may be allowed: to read or to write one kind of the clinic's data. */
export type Scope = `${(typeof resources)[number]}:${(typeof verbs)[number]}`;

export const scopes: readonly Scope[] = resources.flatMap((resource) =>
  verbs.map((verb) => `${resource}:${verb}` as const),
);
