import type { Deps } from '../../core/deps.ts';

export type NamedRequest = { deps: Deps; params: { id: string } };

/** Everybody with the required role may see every record. */
export const everybody = () => true;

export const byName = ({ name, id }: { name: string; id: string }) => [name, id];

/** The change that retires a record. */
export const retiring = { active: false };

export const created = <D>(data: D) => ({ status: 201 as const, data });

export const createdAt = <D extends { id: string }>(path: string, data: D) => ({
  ...created(data),
  headers: { Location: `${path}/${data.id}` },
});
