import { type Archive, openArchive } from '../../../core/archive/archive.ts';
import { findZone, noteZone } from '../../../core/archive/schema-queries.ts';
import { type Db, run } from '../../../core/db/db.ts';
import { type Answer, type Call, openCalled } from '../../../core/db/object.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { ClinicBroken } from '../../../modules/clinics/opener.ts';
import type { ArchiveCalls } from './calls.ts';

/** How a clinic's object remembers its archive: without it nothing is asked of another object. */
const noteKey = 'archive';
interface Noted {
  /** Whether bookings went there. */
  isThere: boolean;
  nextAt: number;
}

interface Notes {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: unknown): Promise<void>;
}

/** Whether bookings of a clinic went to its archive, as far as its object remembers. */
export const isNoted = async (storage: Pick<Notes, 'get'>): Promise<boolean> =>
  (await storage.get<Noted>(noteKey))?.isThere === true;

interface Needs {
  storage: Notes;
  clinicId: string;
  timeZone: string;
  /** The object of the archive. */
  call: () => ArchiveCalls;
}

/** The archive of a clinic, as the clinic's object reaches it. */
export interface ClinicArchive {
  /** What the service works with; undefined where no bookings go there, and none are there. */
  find: (isOn: boolean) => Archive | undefined;
  /** Its database, whether anything is there or not. */
  direct: Db;
  isThere: () => boolean;
  /** Notes that something may be there, and that its job is due. */
  remember: () => Promise<void>;
  /** Lets nothing come or go until it is released: resolves when nothing is on its way. */
  hold: () => Promise<() => void>;
}

const nothing = (): Answer => ({ success: true, results: [], meta: { changes: 0 } });

const begins =
  (words: RegExp) =>
  ({ sql }: Call): boolean =>
    words.test(sql);
const isInsert = begins(/^\s*insert\b/i);
const isMove = begins(/^\s*(insert|delete)\b/i);

/** Finds the archive of a clinic; its tables are made with the first booking that goes there. */
export const findClinicArchive = async ({
  storage,
  clinicId,
  timeZone,
  call,
}: Needs): Promise<ClinicArchive> => {
  let noted = (await storage.get<Noted>(noteKey)) ?? { isThere: false, nextAt: 0 };
  const note = (changed: Partial<Noted>): Promise<void> => {
    noted = { ...noted, ...changed };
    return storage.put(noteKey, noted);
  };
  // Each step is a call of its own: an object that is elsewhere is called anew each time.
  const direct = openCalled({ runStep: (calls) => call().runStep(calls) });
  let opening: Promise<void> | null = null;
  let isHeld = false;
  const moves = new Set<Promise<unknown>>();

  const open = async (): Promise<void> => {
    // Noted first: what went there is found again, whenever this ends.
    if (!noted.isThere) await note({ isThere: true });
    try {
      await openArchive({ db: direct }, clinicId);
      const [known] = await run(direct, findZone(direct, {}));
      if (known?.zone === null) await run(direct, noteZone(direct, { zone: timeZone }));
    } catch (error) {
      opening = null;
      throw new ClinicBroken('the archive of the clinic cannot be opened', { cause: error });
    }
  };
  const send = async (calls: readonly Call[]): Promise<Answer[]> => {
    opening ??= open();
    await opening;
    return call().runStep(calls);
  };
  const runStep = async (calls: readonly Call[]): Promise<Answer[]> => {
    if (!noted.isThere && !calls.some(isInsert)) return calls.map(nothing);
    if (!calls.some(isMove)) return send(calls);
    if (isHeld) throw new Unavailable('a copy of the clinic is being made');
    const sent = send(calls);
    moves.add(sent);
    try {
      return await sent;
    } finally {
      moves.delete(sent);
    }
  };
  const archive: Archive = {
    db: openCalled({ runStep }),
    get nextAt() {
      return noted.nextAt;
    },
    set nextAt(at) {
      if (at !== noted.nextAt) void note({ nextAt: at });
    },
  };

  return {
    find: (isOn) => (isOn || noted.isThere ? archive : undefined),
    direct,
    isThere: () => noted.isThere,
    remember: () => note({ isThere: true, nextAt: 0 }),
    hold: async () => {
      isHeld = true;
      await Promise.allSettled([...moves]);
      return () => {
        isHeld = false;
      };
    },
  };
};
