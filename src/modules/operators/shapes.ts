import * as z from 'zod/mini';
import { isTimeZone } from '../../core/clinic/time.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { fieldIssues } from '../../core/endpoint/field-issues.ts';
import { once } from '../../core/endpoint/once.ts';
import { normalizeHost } from '../clinics/rules.ts';

const longestName = 200;
const longestMail = 254;

const mail = () =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.trim().toLowerCase()),
    ),
    z.email().check(z.maxLength(longestMail)),
  );

/** A host as the directory stores it. */
const host = () =>
  z.pipe(
    z
      .string()
      .check(z.refine((text) => normalizeHost(text.trim()) !== null, { params: { rule: 'invalid' } })),
    z.transform((text: string) => normalizeHost(text.trim()) ?? ''),
  );

const trimmed = (longest: number) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.trim()),
    ),
    z.string().check(z.minLength(1), z.maxLength(longest)),
  );

/** A field of a form that was left empty is the same as none. */
const orNothing = <T extends z.ZodMiniType>(shape: T) =>
  z.optional(
    z.union([
      shape,
      z.pipe(
        z.literal(''),
        z.transform((): undefined => undefined),
      ),
    ]),
  );

export const loginShape = once(() =>
  z.strictObject({
    email: mail(),
    password: z.string().check(z.minLength(1), z.maxLength(1_024)),
    code: z.pipe(
      z.string().check(z.maxLength(20)),
      z.transform((text: string) => text.replaceAll(/\s/g, '')),
    ),
  }),
);

export const newClinicShape = once(() =>
  z.strictObject({
    name: trimmed(longestName),
    host: host(),
    time_zone: orNothing(z.string().check(z.refine(isTimeZone, { params: { rule: 'invalid' } }))),
    admin: orNothing(mail()),
  }),
);

export const signupShape = once(() =>
  z.strictObject({
    name: trimmed(longestName),
    host: host(),
    email: mail(),
    time_zone: orNothing(z.string().check(z.refine(isTimeZone, { params: { rule: 'invalid' } }))),
  }),
);

export const proveShape = once(() => z.strictObject({ token: z.string().check(z.maxLength(100)) }));

export const listShape = once(() =>
  z.strictObject({
    q: z.optional(z.string().check(z.maxLength(longestName))),
    state: z.optional(z.enum(['open', 'closed', 'broken'])),
    page: z.optional(
      z.pipe(
        z.pipe(z.string().check(z.regex(/^\d{1,5}$/)), z.transform(Number)),
        z.int().check(z.minimum(1)),
      ),
    ),
  }),
);

/** The value in its shape; throws the failure that names each field that is wrong. */
export const parseBy = <T extends z.ZodMiniType>(
  shape: T,
  given: unknown,
  code: 'validation_failed' | 'invalid_query' = 'validation_failed',
): z.output<T> => {
  const result = z.safeParse(shape, given);
  if (result.success) return result.data;
  throw new Failure(code, { issues: fieldIssues(result.error.issues, given) });
};
