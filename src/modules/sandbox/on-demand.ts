import { minuteMs } from '../../core/clinic/durations.ts';
import { ClinicMismatch } from '../../core/clinic/row.ts';
import type { BesideSandbox, OpenSandbox } from '../../core/deps.ts';
import { Unavailable } from '../../core/endpoint/errors.ts';
import { errorName, type Logger } from '../../core/log.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';

/** A mistake in the settings is told in words; of other errors only the name, since they may quote what was stored. */
const describeReason = (error: unknown): string => {
  if (error instanceof SettingError || error instanceof ClinicMismatch) return error.message;
  return errorName(error);
};

/** How long a sandbox that cannot be opened is left alone: so long at first, twice as long after each further failure. */
const firstRestMs = 1_000;
const longestRestMs = 5 * minuteMs;

interface Watched {
  log: Pick<Logger, 'error'>;
  clock: () => number;
}

/**
 * A sandbox that is opened when somebody asks for it, and after a failure again, ever more seldom, by those who ask later: the
 * clinic serves meanwhile. `open` gives the one that is open, if it is.
 */
export const openOnDemand = (
  open: (how?: 'make') => Promise<OpenSandbox | null>,
  { log, clock }: Watched,
): BesideSandbox => {
  let failures = 0;
  let until = 0;
  let last: unknown;
  return {
    open: async (how) => {
      if (clock() < until) throw last;
      try {
        const opened = await open(how);
        failures = 0;
        until = 0;
        return opened;
      } catch (error) {
        // Others who asked at the same time have failed with it.
        if (clock() < until) throw error;
        until = clock() + Math.min(firstRestMs * 2 ** failures, longestRestMs);
        failures += 1;
        last = error;
        log.error('the sandbox cannot be opened', { reason: describeReason(error) });
        throw error;
      }
    },
  };
};

interface Closable {
  close: () => Promise<void>;
}

interface InTurn<D extends Closable> extends Watched {
  /** Opens its database; null where there is none. */
  find: (how?: 'make') => Promise<D | null>;
  open: (database: D) => Promise<OpenSandbox>;
}

/** A sandbox that is opened once, also by those who ask for it at the same time, and by nobody any more once it is closed. */
export const openInTurn = <D extends Closable>({ find, open, ...given }: InTurn<D>) => {
  let opened: { sandbox: OpenSandbox; database: D } | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const openNow = async (how?: 'make'): Promise<OpenSandbox | null> => {
    if (isClosed) throw new Unavailable('the clinic of the sandbox was closed');
    if (opened !== null) return opened.sandbox;
    const database = await find(how);
    if (database === null) return null;
    try {
      const sandbox = await open(database);
      opened = { sandbox, database };
      return sandbox;
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const onDemand = openOnDemand(openNow, given);
  const beside: BesideSandbox = {
    // Of those who ask at the same time only the first one waits for a server that does not answer.
    open: (how) => {
      const mine = last.then(() => onDemand.open(how));
      last = mine.catch(() => {});
      return mine;
    },
  };
  return {
    beside,
    close: async (): Promise<void> => {
      isClosed = true;
      await last;
      await opened?.database.close();
    },
  };
};
