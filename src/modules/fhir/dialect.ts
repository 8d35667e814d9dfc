import { Failure } from '../../core/endpoint/errors.ts';
import { isJson } from '../../core/http/body.ts';
import { sameTag } from '../../core/http/etag.ts';
import type { Format, FormatRequest, WrittenFailure } from '../../core/http/format.ts';
import { baseUnder, fhirPath } from './base.ts';
import { isReadConditionally, type Resource } from './types.ts';

/** A resource, with its version if it has one. */
type Versioned = Resource & { meta?: { versionId?: string; lastUpdated?: string } };

const contentType = { 'Content-Type': 'application/fhir+json; charset=utf-8' };

/** The issue code of a failure: its own, or that of its status. */
const issueCodes: Readonly<Record<string | number, string>> = {
  malformed_json: 'structure',
  slot_full: 'conflict',
  patient_busy: 'conflict',
  version_mismatch: 'conflict',
  required: 'required',
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  406: 'not-supported',
  413: 'too-long',
  415: 'not-supported',
  429: 'throttled',
  500: 'exception',
  503: 'transient',
};

/** Where an Appointment has what `/v1` names so. */
const elements: Readonly<Record<string, string>> = {
  patient_id: 'Appointment.participant',
  doctor_id: 'Appointment.participant',
  session_id: 'Appointment.serviceType',
  schedule_date: 'Appointment.start',
  schedule_time: 'Appointment.start',
  notes: 'Appointment.comment',
};

const toExpression = (path: string, status: number): string =>
  status === 400
    ? `http.${path === 'cursor' ? '_page' : path}`
    : (elements[path] ?? path.replaceAll(/\.(\d+)/g, '[$1]'));

/** The system of our codes, which stay the same from version to version. */
const codeSystem = 'https://janji.example/fhir/error-code';

/** A failure as an OperationOutcome: an issue for each field, or one for all. */
const toOutcome = (failure: Omit<WrittenFailure, 'headers' | 'extras'>, requestId: string) => {
  const { code, status, message, issues } = failure;
  const base = { severity: 'error' as const, diagnostics: requestId };
  const coding = [{ system: codeSystem, code }];
  const whole = {
    ...base,
    code: issueCodes[code] ?? issueCodes[status] ?? 'business-rule',
    details: { coding, text: message },
  };
  const ofFields = issues.map((issue) => ({
    ...base,
    code: issueCodes[issue.rule] ?? (status === 422 ? 'value' : 'invalid'),
    details: { coding, text: `${message} ${issue.message}` },
    expression: [toExpression(issue.path, status)],
  }));
  return { resourceType: 'OperationOutcome', issue: ofFields.length > 0 ? ofFields : [whole] };
};

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);

const isJsonFormat = (format: string): boolean => /^(json|(application|text)\/(fhir.)?json)\b/i.test(format);

/** The fields of a form, each as the list of its values. */
const formAsJson = (text: string): string => {
  const form = new URLSearchParams(text);
  if (!isJsonFormat(form.get('_format') ?? 'json')) throw new Failure('not_acceptable');
  return JSON.stringify(Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)])));
};

/** A parameter of a media type that asks for another version of FHIR than this one. */
const otherVersion = /;\s*fhirVersion\s*=\s*"?(?!4\.0\b)/i;

/** Whether an Accept header takes JSON: a header with JSON and XML gets JSON, even if it prefers XML. */
const takesJson = (accept: string): boolean =>
  accept
    .split(',')
    .some((range) => /json|^\s*(\*|application)\/\*/i.test(range) && !otherVersion.test(range));

const isWrite = ({ method, path }: { method: string; path: string }): boolean =>
  method !== 'GET' && !/[_$]\w+$/.test(path);

/** Whether the client has this version already (R4, conditional read). */
const isKnown = (
  { method, header }: FormatRequest,
  { resourceType, meta }: Versioned,
  tag: string,
): boolean => {
  if (method === 'PUT' || method === 'POST' || !isReadConditionally(resourceType)) return false;
  const tags = header('if-none-match');
  if (tags !== undefined) return sameTag(tags, tag);
  // The header names whole seconds.
  return Date.parse(meta?.lastUpdated ?? '') < Date.parse(header('if-modified-since') ?? '') + 1000;
};

/** The dialect FHIR: JSON of its own media types, OperationOutcomes, and versions as ETags. */
export const fhirFormat: Format = {
  base: fhirPath,
  assertAcceptable: ({ header, query }) => {
    const format = query('_format');
    const accept = header('accept') || '*/*';
    const isRefused = format === undefined ? !takesJson(accept) : !isJsonFormat(format);
    if (isRefused) throw new Failure('not_acceptable');
  },
  toJson: (body, type, path) => {
    const isSearch = path.endsWith('/_search');
    if (body === '' && isSearch) return '{}';
    if (otherVersion.test(type)) throw new Failure('unsupported_media_type');
    if (isSearch ? isForm(type) : isJson(type.replace(/^application\/fhir\+json/i, 'application/json')))
      return isSearch ? formAsJson(body) : body;
    throw new Failure('unsupported_media_type');
  },
  writeSuccess: ({ status, data, headers }, request) => {
    const resource = data as Versioned;
    const { resourceType, id, meta } = resource;
    const version = meta?.versionId;
    const tag = version === undefined ? undefined : `W/"${version}"`;
    const place = () => `${baseUnder(request.publicUrl())}/${resourceType}/${id}/_history/${version}`;
    const isMinimal = isWrite(request) && /\breturn\s*=\s*minimal\b/.test(request.header('prefer') ?? '');
    const isUnchanged = tag !== undefined && isKnown(request, resource, tag);
    return {
      status: isUnchanged ? 304 : status,
      raw: isMinimal ? '' : JSON.stringify(data),
      headers: {
        ...contentType,
        ...(tag !== undefined && { ETag: tag }),
        ...(meta?.lastUpdated !== undefined && { 'Last-Modified': new Date(meta.lastUpdated).toUTCString() }),
        ...(status === 201 && { Location: place() }),
        // Where clients such as HAPI's read the id and the version of what they changed.
        ...(request.method === 'PUT' && { 'Content-Location': place() }),
        ...headers,
      },
    };
  },
  writeFailure: (failure, { requestId }) => {
    // A version that If-Match named and that is no longer the present one.
    const status = failure.code === 'version_mismatch' ? 412 : failure.status;
    return {
      status,
      raw: JSON.stringify(toOutcome({ ...failure, status }, requestId)),
      headers: { ...failure.headers, ...contentType },
    };
  },
};
