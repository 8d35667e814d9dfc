import type * as z from 'zod/mini';

/** Makes a shape when it is asked for. */
export type LazyShape<S extends z.ZodMiniType = z.ZodMiniType> = () => S;

/** What a shape reads, and what it makes of it. */
export type InputOf<L extends LazyShape> = z.input<ReturnType<L>>;
export type OutputOf<L extends LazyShape> = z.output<ReturnType<L>>;
