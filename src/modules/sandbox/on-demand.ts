import { minuteMs } from '../../core/clinic/durations.ts';
import { ClinicMismatch } from '../../core/clinic/row.ts';
import type { BesideSandbox, OpenSandbox } from '../../core/deps.ts';
import type { Logger } from '../../core/log.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';

/** A mistake in the settings is told in words; of other errors only the name, since they may quote what was stored. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SettingError || error instanceof ClinicMismatch) return error.message;
  return error instanceof Error ? error.name : 'unknown';
};

/** How long a sandbox that cannot be opened is left alone: so long at first, twice as long after each further failure. */
const firstRestMs = 1_000;
const longestRestMs = 5 * minuteMs;

/**
 * A sandbox that is opened when somebody asks for it, and after a failure again, ever more seldom, by those who ask later: the
 * clinic serves meanwhile. `open` gives the one that is open, if it is.
 */
export const openOnDemand = (
  open: (how?: 'make') => Promise<OpenSandbox | null>,
  { log, clock }: { log: Pick<Logger, 'error'>; clock: () => number },
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
        log.error('the sandbox cannot be opened', { reason: reasonOf(error) });
        throw error;
      }
    },
  };
};
