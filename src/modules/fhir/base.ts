import type { Deps } from '../../core/deps.ts';

/** The path of the façade. */
export const fhirPath = '/fhir/r4';

/** Its whole address; `FHIR=on` needs PUBLIC_URL. */
export const baseUnder = (publicUrl = ''): string => `${publicUrl}${fhirPath}`;

export const baseUrl = ({ config }: Pick<Deps, 'config'>): string => baseUnder(config.PUBLIC_URL);
