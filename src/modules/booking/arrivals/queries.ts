import { eq, getTableColumns, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { patients } from '../../../core/tables/patients.ts';

/** A booking by its id or its code, with what is compared and shown of its patient; an offer of the waitlist is none. */
export const findArriving = statement((db, named: Named<'id' | 'code'>) =>
  db
    .select({
      ...getTableColumns(bookings),
      /** As the verbs of a booking read it: a key has no family. */
      isFamily: sql<number>`0`.as('is_family'),
      patientName: patients.name,
      birthDate: patients.birthDate,
    })
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      sql`bookings.id = coalesce(${named('id')}, (select b.id from bookings b where b.booking_code = ${named('code')}))
        and bookings.held_until is null`,
    )
    .limit(1),
);

export type Arriving = ReturnType<typeof findArriving>['_']['result'][number];

/** Replaces the secret of the poster: what hangs on the wall by then opens nothing. */
export const replacePoster = statement((db, named: Named<'secret'>) =>
  db
    .update(clinic)
    .set({ posterSecret: sql`${named('secret')}` })
    .where(eq(clinic.id, 1)),
);
