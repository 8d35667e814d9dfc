import type { Endpoint } from '../core/endpoint/endpoint.ts';
import type { FailureFormat } from '../core/http/early-failure.ts';
import { bpjsContracts } from '../modules/bpjs/inbound/contract.ts';
import { bpjsDialect } from '../modules/bpjs/inbound/dialect.ts';
import { fhirContracts } from '../modules/fhir/contract.ts';
import { fhirFormat } from '../modules/fhir/dialect.ts';

/** The contracts of the dialects, which the OpenAPI document leaves out, by the path that each begins with. */
export const dialectContracts: Readonly<Record<string, readonly Endpoint[]>> = {
  '/fhir/r4': fhirContracts,
  '/bpjs': bpjsContracts,
};

/** How the dialects write failures, also those that are answered before any service was asked. */
export const failureFormats: readonly FailureFormat[] = [fhirFormat, bpjsDialect];
