import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { isoOrNull } from '../../../core/endpoint/instants.ts';
import { changeEvent, eventRow, findRecorded, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import type { ChangeDoctorPage } from './contract.ts';
import { pageFields } from './fields.ts';
import { cleanPicture } from './picture-rules.ts';
import {
  deletePage,
  dropPhoto,
  explainSlug,
  findDoctorPage,
  type PageRow,
  recordPageChange,
  storePhoto,
  takeSlug,
  writePage,
} from './queries.ts';
import { decodeBase64, encodeBase64, slugsToTry } from './rules.ts';

type Change = BodyOf<typeof ChangeDoctorPage>;
type Found = Awaited<ReturnType<typeof findDoctorPage>['_']['result']>[number];

export const photoPath = (tag: string | null): string | null => (tag === null ? null : `/foto/${tag}`);

/** The address of a page: under the service's own origin, where it is known. */
export const pageUrl = ({ config }: Deps, slug: string, origin = ''): string =>
  `${config.PUBLIC_URL ?? origin}/dokter/${slug}`;

const emptyPage = { slug: '', published: false, about: '', languages: '[]', education: '[]' };

/** The page of a doctor as the clinic sees it. */
export const adminPageView = (deps: Deps, doctorId: string, page: PageRow | null, photo: string | null) => ({
  doctor_id: doctorId,
  ...pageFields.view({ ...emptyPage, ...page }),
  slug: page?.slug ?? null,
  photo_image: photo,
  photo: photoPath(page?.photoTag ?? null),
  url: page === null ? null : pageUrl(deps, page.slug),
  version: page?.version ?? 0,
  updated_at: isoOrNull(page?.updatedAt ?? null),
});

/** A photo in its stored form: without what a camera noted, under the hash of its content. */
const photoRow = async (image: string) => {
  const picture = cleanPicture(decodeBase64(image) ?? new Uint8Array());
  if (picture === null)
    throw new Failure('validation_failed', { issues: [{ path: 'photo_image', rule: 'photo' }] });
  const hash = await crypto.subtle.digest('SHA-256', picture.bytes);
  return {
    tag: toBase64Url(hash.slice(0, 15)),
    contentType: picture.contentType,
    content: encodeBase64(picture.bytes),
  };
};

const fullName = ({ title, name }: Found['doctor']): string => `${title} ${name}`.trim();

/**
 * Changes the page of a doctor; the first change makes it. The address that it gets is the doctor's for good: the write
 * itself refuses one that another doctor has or had.
 */
export const changePage = async (deps: Deps, by: Author, doctorId: string, input: Change) => {
  const { db } = deps;
  const photo = input.photo_image ? await photoRow(input.photo_image) : null;
  return decideAgain(async () => {
    const [found] = await run(db, findDoctorPage(db, { doctorId }));
    if (found === undefined) throw new Failure('not_found');
    const before = found.page;
    const version = before?.version ?? 0;
    if (input.version !== undefined && input.version !== version)
      throw new Failure('version_mismatch', { extras: { version } });
    const slugs = [input.slug ?? before?.slug ?? slugsToTry(fullName(found.doctor), doctorId)].flat();
    for (const slug of slugs) {
      const row: PageRow = {
        ...pageFields.changed(
          before ?? {
            ...emptyPage,
            slug,
            doctorId,
            photoTag: null,
            version,
            createdAt: by.now,
            updatedAt: by.now,
          },
          input,
        ),
        slug,
        photoTag: input.photo_image === undefined ? (before?.photoTag ?? null) : (photo?.tag ?? null),
        version: version + 1,
        updatedAt: by.now,
      };
      const event = eventRow(changeEvent(deps, by, 'doctor_page_changed', { doctor_id: doctorId }, input));
      const { writeId } = event;
      const {
        isWritten: [isWritten],
        after: [after],
        why: [why],
      } = await runAll(db, {
        recorded: recordPageChange(db, { ...event, doctorId, slug, version }),
        photo: photo === null ? [] : [storePhoto(db, { ...photo, writeId })],
        written: writePage(db, { ...row, published: Number(row.published), writeId }),
        slug: takeSlug(db, { slug, doctorId, writeId }),
        dropped: before?.photoTag ? [dropPhoto(db, { tag: before.photoTag })] : [],
        isWritten: findRecorded(db, { writeId }),
        after: findDoctorPage(db, { doctorId }),
        why: explainSlug(db, { doctorId, slug }),
      });
      if (isWritten !== undefined)
        return adminPageView(deps, doctorId, after?.page ?? null, after?.photo ?? null);
      if (!why?.isTaken) return overtaken;
    }
    throw new Failure('slug_taken');
  });
};

/** Deletes the page of a doctor with its photo and its addresses; nothing happens without one. */
export const removePage = async (deps: Deps, by: Author, doctorId: string): Promise<void> => {
  const { db } = deps;
  const [found] = await run(db, findDoctorPage(db, { doctorId }));
  const [page, slugs] = deletePage(db, doctorId);
  await runAll(db, {
    page,
    // Must follow the deletion directly: it is recorded only if that statement changed a row.
    recorded: recordIfChanged(db, changeEvent(deps, by, 'doctor_page_deleted', { doctor_id: doctorId })),
    slugs,
    photo: found?.page?.photoTag ? [dropPhoto(db, { tag: found.page.photoTag })] : [],
  });
};
