import type { Endpoint } from '../core/endpoint/endpoint.ts';
import { bpjsContracts } from '../modules/bpjs/inbound/contract.ts';
import { fhirContracts } from '../modules/fhir/contract.ts';

/** The contracts of the dialects, which the OpenAPI document leaves out, by the path that each begins with. */
export const dialectContracts: Readonly<Record<string, readonly Endpoint[]>> = {
  '/fhir/r4': fhirContracts,
  '/bpjs': bpjsContracts,
};
