import { ClinicBroken, ClinicBusy } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';

export interface Opened {
  /** Whether work is under way that no request waits for. */
  isBusy: () => boolean;
  /** Lets the requests go that wait for something: while one of them waits the clinic is in use. */
  endWaits?: () => void;
  close: () => Promise<void>;
}

interface Parts<O extends Opened> {
  /** Opens a clinic; throws `ClinicBroken` if that clinic cannot be opened. */
  open: (clinic: ClinicEntry) => Promise<O>;
  /** How many may be open at once. */
  maxOpen: number;
  clock: () => number;
  /** Does something once the requests at hand are served; as a timer unless given. */
  later?: (work: () => void) => void;
  /** Called when a clinic could not be opened, and when one that could not be opened could again. */
  judged?: (clinic: ClinicEntry, problem: ClinicBroken | null) => void;
}

export interface OpenClinics<O extends Opened> {
  /** Does work at a clinic, which is opened for it if it is not; the work says when it needs the clinic no longer. */
  use: <T>(clinic: ClinicEntry, work: (opened: O, release: () => void) => Promise<T>) => Promise<T>;
  /** The clinics that are open, the one that was used least recently first. */
  list: () => { clinic: ClinicEntry; opened: O }[];
  /** Closes a clinic as soon as nobody uses it. */
  leave: (clinicId: string) => void;
  counts: () => { open: number; inUse: number };
  closeAll: () => Promise<void>;
}

interface Slot<O> {
  clinic: ClinicEntry;
  opening: Promise<O>;
  opened?: O;
  uses: number;
  /** It is closed once nobody uses it: it was closed in the directory, or has other settings now. */
  isLeaving: boolean;
}

/** How long a clinic that could not be opened is left alone, in milliseconds. */
const brokenMs = 30_000;

/** Of the clinics that may be open, how many places are made free together, before they are needed. */
const reservePart = 1 / 12;

const afterRequests = (work: () => void): void => void setTimeout(work, 20).unref();

/** Of two entries of a clinic, whether one opened by the one serves the other. */
const isSame = (one: ClinicEntry, other: ClinicEntry): boolean => {
  const picked = ({ timeZone, settings, file, hosts, name }: ClinicEntry) =>
    JSON.stringify([timeZone, settings, file, hosts, name]);
  return one === other || picked(one) === picked(other);
};

/**
 * Keeps the clinics that were used last open, each opened once, also for requests at the same moment. A clinic in use is never closed: its
 * requests, their answers under way, and its own work count.
 */
export const createOpenClinics = <O extends Opened>({
  open,
  maxOpen,
  clock,
  later = afterRequests,
  judged = () => {},
}: Parts<O>): OpenClinics<O> => {
  const reserve = Math.floor(maxOpen * reservePart);
  let willMakePlaces = false;
  /** In the order of their last use. */
  const slots = new Map<string, Slot<O>>();
  const closing = new Map<string, Promise<void>>();
  const broken = new Map<string, { clinic: ClinicEntry; until: number; error: ClinicBroken }>();

  const isFree = ({ uses, opened }: Slot<O>): boolean =>
    uses === 0 && opened !== undefined && !opened.isBusy();
  const close = (id: string, { opened }: Slot<O>): void => {
    slots.delete(id);
    const closed = Promise.resolve(opened?.close())
      .catch(() => {})
      .finally(() => closing.delete(id));
    closing.set(id, closed);
  };
  const closeDownTo = (most: number): void => {
    for (const [id, slot] of slots) {
      if (slots.size <= most) return;
      if (isFree(slot)) close(id, slot);
    }
  };
  const freePlaces = (): number => maxOpen - slots.size - closing.size;
  // To let a closed file go takes longer than to open one. So it is done for several together, and an opening waits for
  // it only where more are opened at once than places are free.
  const makePlacesLater = (): void => {
    if (reserve === 0 || willMakePlaces || freePlaces() > reserve / 4) return;
    willMakePlaces = true;
    later(() => {
      willMakePlaces = false;
      closeDownTo(maxOpen - reserve);
    });
  };
  const makePlace = (): void => {
    if (slots.size >= maxOpen) closeDownTo(maxOpen - Math.max(1, reserve));
    if (slots.size >= maxOpen) throw new ClinicBusy('all clinics that may be open are in use');
  };
  const openNow = async (clinic: ClinicEntry): Promise<O> => {
    // A file is closed to its end before it is opened again, and as many are open as may be, even for a moment.
    await closing.get(clinic.id);
    while (closing.size > 0 && slots.size + closing.size > maxOpen) await Promise.race(closing.values());
    return open(clinic);
  };
  const begin = (clinic: ClinicEntry): Slot<O> => {
    const { id } = clinic;
    const before = broken.get(id);
    if (before !== undefined && before.until > clock() && isSame(before.clinic, clinic)) throw before.error;
    makePlace();
    const slot: Slot<O> = { clinic, opening: openNow(clinic), uses: 0, isLeaving: false };
    slots.set(id, slot);
    makePlacesLater();
    slot.opening.then(
      (opened) => {
        slot.opened = opened;
        if (broken.delete(id) || clinic.problem !== null) judged(clinic, null);
      },
      (error: unknown) => {
        if (slots.get(id) === slot) slots.delete(id);
        if (!(error instanceof ClinicBroken)) return;
        broken.set(id, { clinic, until: clock() + brokenMs, error });
        judged(clinic, error);
      },
    );
    return slot;
  };
  const find = (clinic: ClinicEntry): Slot<O> => {
    const slot = slots.get(clinic.id);
    if (slot === undefined) return begin(clinic);
    if (!isSame(slot.clinic, clinic)) slot.isLeaving = true;
    if (!slot.isLeaving) return slot;
    if (!isFree(slot)) {
      slot.opened?.endWaits?.();
      return slot;
    }
    close(clinic.id, slot);
    return begin(clinic);
  };
  const release = (slot: Slot<O>): void => {
    slot.uses -= 1;
    const { id } = slot.clinic;
    if (slot.isLeaving && isFree(slot) && slots.get(id) === slot) close(id, slot);
  };

  return {
    use: async (clinic, work) => {
      const slot = find(clinic);
      slots.delete(clinic.id);
      slots.set(clinic.id, slot);
      slot.uses += 1;
      let isReleased = false;
      const releaseOnce = (): void => {
        if (isReleased) return;
        isReleased = true;
        release(slot);
      };
      try {
        return await work(slot.opened ?? (await slot.opening), releaseOnce);
      } catch (error) {
        releaseOnce();
        throw error;
      }
    },
    list: () =>
      [...slots.values()].flatMap(({ clinic, opened }) => (opened === undefined ? [] : [{ clinic, opened }])),
    leave: (id) => {
      const slot = slots.get(id);
      if (slot === undefined) return;
      slot.isLeaving = true;
      if (isFree(slot)) close(id, slot);
      else slot.opened?.endWaits?.();
    },
    counts: () => ({
      open: slots.size,
      inUse: [...slots.values()].filter((slot) => !isFree(slot)).length,
    }),
    closeAll: async () => {
      await Promise.allSettled([...slots.values()].map(({ opening }) => opening));
      for (const [id, slot] of slots) close(id, slot);
      await Promise.all(closing.values());
    },
  };
};
