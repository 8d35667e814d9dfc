import type { Deps } from '../../core/deps.ts';

/** The path of the façade. */
export const fhirPath = '/fhir/r4';

/** Its whole address; `FHIR=on` needs PUBLIC_URL. */
export const baseUrl = ({ config }: Pick<Deps, 'config'>): string => `${config.PUBLIC_URL ?? ''}${fhirPath}`;
