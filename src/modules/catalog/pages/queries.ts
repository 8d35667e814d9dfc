import { eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { clinic, doctorPages, doctorPhotos, doctorSlugs, doctors } from '../../../core/tables/catalog.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { doctorFields } from '../fields/doctors.ts';

export type PageRow = typeof doctorPages.$inferSelect;

/** A doctor, retired or not, with the page and the photo, each null where there is none. */
export const findDoctorPage = statement((db, named: Named<'doctorId'>) =>
  db
    .select({
      doctor: { name: sql<string>`${doctors.name}`.as('doctor_name'), title: doctors.title },
      page: doctorPages,
      photo: doctorPhotos.content,
    })
    .from(doctors)
    .leftJoin(doctorPages, eq(doctorPages.doctorId, doctors.id))
    .leftJoin(doctorPhotos, eq(doctorPhotos.tag, doctorPages.photoTag))
    .where(eq(doctors.id, named('doctorId'))),
);

const shownOfDoctor = {
  ...doctorFields.publicColumns,
  id: doctors.id,
  name: sql<string>`${doctors.name}`.as('doctor_name'),
};
const isShown = sql`${doctorPages.published} and ${isNull(doctors.retiredAt)}`;

/** The published page that has this address, or had it. */
export const findPageAt = statement((db, named: Named<'slug'>) =>
  db
    .select({ page: doctorPages, doctor: shownOfDoctor, embedOrigins: clinic.embedOrigins })
    .from(doctorSlugs)
    .innerJoin(doctorPages, eq(doctorPages.doctorId, doctorSlugs.doctorId))
    .innerJoin(doctors, eq(doctors.id, doctorPages.doctorId))
    .innerJoin(clinic, eq(clinic.id, 1))
    .where(sql`${doctorSlugs.slug} = ${named('slug')} and ${isShown}`),
);

/** A list for search engines has 50,000 addresses at most. */
const mostListed = 50_000;

/** The addresses of all published pages, in their order. */
export const listPublished = statement((db, _named: Named<never>) =>
  db
    .select({ slug: doctorPages.slug, updatedAt: doctorPages.updatedAt })
    .from(doctorPages)
    .innerJoin(doctors, eq(doctors.id, doctorPages.doctorId))
    .where(isShown)
    .orderBy(doctorPages.slug)
    .limit(mostListed - 1),
);

export const findPublished = statement((db, named: Named<'doctorId'>) =>
  db
    .select({ page: doctorPages, doctor: shownOfDoctor })
    .from(doctorPages)
    .innerJoin(doctors, eq(doctors.id, doctorPages.doctorId))
    .where(sql`${doctorPages.doctorId} = ${named('doctorId')} and ${isShown}`),
);

/** A photo of a published page. */
export const findPhoto = statement((db, named: Named<'tag'>) =>
  db
    .select()
    .from(doctorPhotos)
    .where(
      sql`${doctorPhotos.tag} = ${named('tag')} and exists (select 1 from doctor_pages p join doctors d on d.id = p.doctor_id
        where p.photo_tag = ${doctorPhotos.tag} and p.published and d.retired_at is null)`,
    ),
);

const isTaken = sql`exists (select 1 from doctor_slugs s where s.slug = r.slug and s.doctor_id <> r.doctor_id)`;

/** Recorded if the page still has the version that was read, 0 without one, and no other doctor has or had the address. */
export const recordPageChange = securityEventWhen(
  sql`coalesce((select p.version from doctor_pages p where p.doctor_id = r.doctor_id), 0) = r.version
    and exists (select 1 from doctors d where d.id = r.doctor_id) and not ${isTaken}`,
  ['doctorId', 'slug', 'version'],
);

const written = [
  'slug',
  'published',
  'about',
  'languages',
  'education',
  'photoTag',
  'version',
  'updatedAt',
] as const;

/** Writes the page as it is after the change, if that was recorded. */
export const writePage = rowStatement(['doctorId', ...written, 'createdAt', 'writeId'], (db, row) =>
  insertFromRow(db, doctorPages, row, sql`from r where ${rowIsRecorded}`, {}).onConflictDoUpdate({
    target: doctorPages.doctorId,
    set: Object.fromEntries(written.map((name) => [name, sql.raw(`excluded.${doctorPages[name].name}`)])),
  }),
);

/** Gives the doctor the address for good, if the change was recorded. */
export const takeSlug = rowStatement(['slug', 'doctorId', 'writeId'], (db, row) =>
  insertFromRow(db, doctorSlugs, row, sql`from r where ${rowIsRecorded}`, {}).onConflictDoNothing(),
);

/** Stores a photo under the hash of its content, if the change was recorded. */
export const storePhoto = rowStatement(['tag', 'contentType', 'content', 'writeId'], (db, row) =>
  insertFromRow(db, doctorPhotos, row, sql`from r where ${rowIsRecorded}`, {}).onConflictDoNothing(),
);

/** Takes away a photo that no page has. */
export const dropPhoto = statement((db, named: Named<'tag'>) =>
  db
    .delete(doctorPhotos)
    .where(
      sql`${doctorPhotos.tag} = ${named('tag')} and not exists (select 1 from doctor_pages p where p.photo_tag = ${named('tag')})`,
    ),
);

/** Why a change was not written: another doctor has the address, or had it. */
export const explainSlug = rowStatement(['doctorId', 'slug'], (db, row) =>
  db.select({ isTaken: sql<number>`${isTaken}`.as('is_taken') }).from(fromRow(row)),
);

/** Deletes the page of a doctor and the addresses that it had; the photo goes by `dropPhoto`. */
export const deletePage = (db: Db, doctorId: string) =>
  [
    db.delete(doctorPages).where(eq(doctorPages.doctorId, doctorId)),
    db.delete(doctorSlugs).where(eq(doctorSlugs.doctorId, doctorId)),
  ] as const;
