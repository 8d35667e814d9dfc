import type * as z from 'zod/mini';

/** Makes a shape when it is asked for. */
export type LazyShape<S extends z.ZodMiniType = z.ZodMiniType> = () => S;

/** What a shape makes of what it reads. */
export type OutputOf<L extends LazyShape> = z.output<ReturnType<L>>;
