import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { addWords, replaceWords, wordList } from '../../../core/search/queries.ts';
import { textWords } from '../../../core/search/rules.ts';
import { doctors } from '../../../core/tables/catalog.ts';
import { doctorFields } from '../fields/doctors.ts';
import { roomsFreeFor } from '../schedules/queries.ts';

export const findDoctorsByExternalId = statement((db, named: Named<'externalId'>) =>
  db
    .select()
    .from(doctors)
    .where(eq(doctors.externalId, named('externalId'))),
);

export type DoctorRow = typeof doctors.$inferSelect;

export const findAllDoctors = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) =>
  db
    .select()
    .from(doctors)
    .where(sql`(${doctors.name}, ${doctors.id}) > (${named('afterName')}, ${named('afterId')})`)
    .orderBy(asc(doctors.name), asc(doctors.id))
    .limit(named('limit')),
);

/** The words by which a doctor is found: people may type any part of "dr. Sari Wulandari, Dokter Gigi". */
export const doctorWords = (doctor: Parameters<typeof doctorFields.searched>[0]): string[] =>
  textWords(doctorFields.searched(doctor));

export const insertDoctor = (db: Db, doctor: DoctorRow) => {
  const words = doctorWords(doctor);
  return [
    db.insert(doctors).values({ ...doctor, words: wordList(words) }),
    addWords(db, 'doctor', doctor.id, words),
  ] as const;
};

/**
 * Updates the row if it still has the previous version, and increases the doctor's calendar version. A doctor returns only
 * to rooms that are free, where the clinic refuses others.
 */
export const updateDoctor = (db: Db, { id, version, calendarVersion: _, ...fields }: DoctorRow) => {
  const given = sql.join(
    doctorFields.names.map((name) => sql`${doctors[name]} is ${fields[name]}`),
    sql` and `,
  );
  const isWritten = sql`exists (select 1 from ${doctors} where ${doctors.id} = ${id} and ${doctors.version} = ${version} and ${given})`;
  return [
    db
      .update(doctors)
      .set({ ...fields, version, calendarVersion: sql`${doctors.calendarVersion} + 1` })
      .where(
        and(
          eq(doctors.id, id),
          eq(doctors.version, version - 1),
          fields.retiredAt === null
            ? or(isNull(doctors.retiredAt), roomsFreeFor(id, fields.updatedAt))
            : undefined,
        ),
      )
      .returning(),
    ...replaceWords(db, 'doctor', id, doctorWords(fields), isWritten),
  ] as const;
};
