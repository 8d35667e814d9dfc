import { ClinicMismatch } from '../../core/clinic/row.ts';
import type { BesideSandbox, OpenSandbox } from '../../core/deps.ts';
import type { Logger } from '../../core/log.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';

/** A mistake in the settings is told in words; of other errors only the name, since they may quote what was stored. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SettingError || error instanceof ClinicMismatch) return error.message;
  return error instanceof Error ? error.name : 'unknown';
};

/**
 * A sandbox that is opened when somebody asks for it, and after a failure again by the next who asks: the clinic serves
 * meanwhile. `open` gives the one that is open, if it is.
 */
export const openOnDemand = (
  open: (how?: 'make') => Promise<OpenSandbox | null>,
  log: Pick<Logger, 'error'>,
): BesideSandbox => ({
  open: async (how) => {
    try {
      return await open(how);
    } catch (error) {
      log.error('the sandbox cannot be opened', { reason: reasonOf(error) });
      throw error;
    }
  },
});
