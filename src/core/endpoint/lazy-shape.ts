import type * as z from 'zod/mini';

/** Makes a shape at its first use. */
export type LazyShape<S extends z.ZodMiniType = z.ZodMiniType> = () => S;

export type OutputOf<L extends LazyShape> = z.output<ReturnType<L>>;
