import { toIso } from '../../../core/endpoint/instants.ts';
import type { ConsentRow } from './queries.ts';

/** A person's answers to a privacy notice. */
export const consentView = ({ kind, version, recordedAt }: ConsentRow) => ({
  kind,
  consent_version: version,
  at: toIso(recordedAt),
});
