import type { FailureFormat } from '../core/http/early-failure.ts';
import { bpjsDialect } from '../modules/bpjs/inbound/dialect.ts';
import { fhirFormat } from '../modules/fhir/dialect.ts';

/** How the dialects write failures, also those that are answered before any service was asked. */
export const failureFormats: readonly FailureFormat[] = [fhirFormat, bpjsDialect];
