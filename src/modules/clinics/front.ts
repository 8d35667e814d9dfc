import { findCause, Unavailable } from '../../core/endpoint/errors.ts';
import type { FailureFormat } from '../../core/http/early-failure.ts';
import type { Directory } from './directory.ts';
import { ClinicMoving, type Opener } from './opener.ts';
import type { ClinicEntry } from './queries.ts';
import { type ClinicRefusal, refuseAtClinic } from './refusals.ts';

interface Parts {
  directory: Directory;
  opener: Opener;
  /** The paths of the deployment itself, which are answered under every host that no clinic has. */
  ownPaths: (request: Request, bindings: unknown) => Response | Promise<Response> | null;
  /** How failures are written below the paths of dialects. */
  formats: readonly FailureFormat[];
  /** The origins whose pages may read the refusals of a clinic, or of the deployment. */
  originsOf: (clinic: ClinicEntry | null) => readonly string[];
  /** Called for each request that was refused before a clinic answered. */
  refused?: (code: ClinicRefusal, clinicId: string | null, error?: unknown) => void;
}

/** Answers requests by the clinic that their host names: one that cannot answer fails alone. */
export const createFront =
  ({ directory, opener, ownPaths, formats, originsOf, refused = () => {} }: Parts) =>
  async (request: Request, bindings: unknown): Promise<Response> => {
    let clinic: ClinicEntry | null = null;
    const refuse = (code: ClinicRefusal, error?: unknown, retryAfterSeconds?: number): Response => {
      refused(code, clinic?.id ?? null, error);
      return refuseAtClinic(request, code, formats, {
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        origins: originsOf(clinic),
      });
    };
    try {
      clinic = await directory.find(new URL(request.url).host);
      if (clinic === null) return (await ownPaths(request, bindings)) ?? refuse('clinic_not_found');
      if (clinic.state === 'closed') return refuse('clinic_closed');
      return await opener.answer(clinic, request, bindings);
    } catch (error) {
      if (findCause(error, Unavailable) === null) throw error;
      const moving = findCause(error, ClinicMoving);
      if (moving !== null) return refuse('clinic_moving', error, moving.retryAfterSeconds);
      return refuse('unavailable', error);
    }
  };
