import { consoleLogger } from '../../core/log.ts';
import { readOrigins } from '../../core/settings/config.ts';
import { failureFormats } from '../../interface/dialects.ts';
import { refuseAtClinic } from '../../modules/clinics/refusals.ts';

/** Answers while the service cannot be put together, and logs why. */
export const cannotServe = (
  error: unknown,
  request: Request,
  bindings: Readonly<Record<string, unknown>>,
): Response => {
  consoleLogger('error').error('cannot start', { cause: error instanceof Error ? error.message : 'unknown' });
  return refuseAtClinic(request, 'unavailable', failureFormats, {
    retryAfterSeconds: 5,
    origins: readOrigins(bindings),
  });
};
