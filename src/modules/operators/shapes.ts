import * as z from 'zod/mini';
import { isTimeZone } from '../../core/clinic/time.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { fieldIssues } from '../../core/endpoint/field-issues.ts';
import { keepsNames } from '../../core/endpoint/fields.ts';
import { once } from '../../core/endpoint/once.ts';
import { isClinicId, normalizeHost } from '../clinics/rules.ts';

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

const zone = () => z.string().check(z.refine(isTimeZone, { params: { rule: 'invalid' } }));
const hostList = () => z.array(host()).check(z.minLength(1), z.maxLength(100));

/** `host` or `hosts`; the first is the one that mails lead to. */
export const newClinicShape = once(() =>
  z
    .strictObject({
      name: trimmed(longestName),
      host: z.optional(host()),
      hosts: z.optional(hostList()),
      time_zone: orNothing(zone()),
      admin: orNothing(mail()),
      id: z.optional(z.string().check(z.refine(isClinicId, { params: { rule: 'invalid' } }))),
      demo: z.optional(z.boolean()),
      state: z.optional(z.enum(['open', 'closed'])),
    })
    .check(
      z.refine(({ host: one, hosts }) => (one === undefined) !== (hosts === undefined), {
        params: { rule: 'required' },
        path: ['host'],
      }),
    ),
);

export const clinicChangeShape = once(() =>
  z.strictObject({
    name: z.optional(trimmed(longestName)),
    hosts: z.optional(hostList()),
    settings: z.optional(
      z.pipe(
        keepsNames<string | null>('unknown'),
        z.record(z.string(), z.nullable(z.string().check(z.maxLength(4_096)))),
      ),
    ),
  }),
);

/** The number of lines of a copy that came before this part. */
export const partShape = once(() =>
  z.strictObject({
    after: z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)), z.int()),
  }),
);

export const rewindShape = once(() =>
  z.union([
    z.strictObject({
      at: z.pipe(
        z
          .string()
          .check(z.refine((text) => !Number.isNaN(Date.parse(text)), { params: { rule: 'invalid' } })),
        z.transform((text: string) => Date.parse(text)),
      ),
    }),
    z.strictObject({ bookmark: z.string().check(z.minLength(1), z.maxLength(200)) }),
  ]),
);

export const operatorShape = once(() =>
  z.strictObject({ email: mail(), password: z.string().check(z.minLength(1), z.maxLength(1_024)) }),
);

export const signupShape = once(() =>
  z.strictObject({
    name: trimmed(longestName),
    host: host(),
    email: mail(),
    time_zone: orNothing(zone()),
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
