import { Unavailable } from '../../core/endpoint/errors.ts';
import type { ClinicEntry } from './queries.ts';
import { freshMs, normalizeHost, retryMs, staleMs } from './rules.ts';

/** Which clinic a host names. */
export interface Directory {
  /** The clinic of a host, as the request writes it; null if no clinic has it. Throws `Unavailable`. */
  find: (host: string) => Promise<ClinicEntry | null>;
  /** What is known of a host without a look; null for nothing. */
  known: (host: string) => ClinicEntry | null;
  /** Has every entry read again when it is next asked for: the directory was changed here. */
  changed: () => void;
}

interface Sources {
  /** Reads a clinic by a normalized host. */
  read: (host: string) => Promise<ClinicEntry | null>;
  clock: () => number;
  /** Called when the directory begins to fail. */
  failed?: (error: unknown) => void;
}

interface Known {
  clinic: ClinicEntry | null;
  readAt: number;
  /** Until when it is used without another look. */
  freshUntil: number;
}

/** More hosts than a deployment has; requests with invented hosts drive out only what costs one look-up. */
const maxKnown = 20_000;

/** Keeps what was read for a minute, and for an hour while the directory fails. */
export const createDirectory = ({ read, clock, failed = () => {} }: Sources): Directory => {
  const known = new Map<string, Known>();
  let isFailing = false;

  const keep = (host: string, clinic: ClinicEntry | null): void => {
    const now = clock();
    known.delete(host);
    known.set(host, { clinic, readAt: now, freshUntil: now + freshMs });
    if (known.size > maxKnown) known.delete(known.keys().next().value ?? '');
  };
  /** What was read before, within its hour; the directory is left alone for some seconds. */
  const useBefore = (host: string, error: unknown): ClinicEntry | null => {
    if (!isFailing) failed(error);
    isFailing = true;
    const before = known.get(host);
    if (before === undefined || clock() - before.readAt >= staleMs)
      throw new Unavailable('the directory of clinics cannot be read');
    before.freshUntil = clock() + retryMs;
    return before.clinic;
  };

  return {
    // Requests share no promise: on Workers none may wait for another's.
    find: async (given) => {
      const host = normalizeHost(given);
      if (host === null) return null;
      const before = known.get(host);
      if (before !== undefined && clock() < before.freshUntil) return before.clinic;
      try {
        const clinic = await read(host);
        isFailing = false;
        keep(host, clinic);
        return clinic;
      } catch (error) {
        return useBefore(host, error);
      }
    },
    known: (host) => known.get(normalizeHost(host) ?? '')?.clinic ?? null,
    // What is known stays for the hour in which the directory may fail.
    changed: () => {
      for (const one of known.values()) one.freshUntil = 0;
    },
  };
};
