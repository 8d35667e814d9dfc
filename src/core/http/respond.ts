import type { Context } from 'hono';
import { catalogue, type ErrorCode, type FailureDetails } from '../endpoint/errors.ts';
import { type FieldIssue, problemSentence } from '../endpoint/field-sentences.ts';
import { type Language, sentenceOf } from '../endpoint/messages.ts';
import { isRead, mayCompress, unpacked } from './compression.ts';
import { type AppEnv, depsOf } from './context.ts';
import type { FormatRequest, Said } from './format.ts';
import { securityHeaders } from './headers.ts';

export const jsonContent = { 'Content-Type': 'application/json; charset=UTF-8' };

export const personalHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'Cache-Control': 'no-store',
};

/** A value that the database made as JSON: it is sent unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A list of values that are JSON already. */
export const jsonList = (values: readonly string[]): JsonText => new JsonText(`[${values.join()}]`);

/** The answer of a handler; its status must be one of its contract's. */
export interface Answer<Status extends number = number> extends Said<Status> {
  /** Whole values of Set-Cookie, of which there may be several. */
  cookies?: readonly string[];
  /** An answer that is not a JSON envelope. */
  raw?: string;
  /** The same, piece by piece as the client takes it. */
  stream?: ReadableStream<Uint8Array>;
  /** The patient whose record it shows without a change, or several; null for the caller's own, or none. */
  seen?: string | readonly string[] | null;
}

/** The same answer with further headers; its own win. */
export const withHeaders = (answer: Answer, headers: Record<string, string> | undefined): Answer =>
  headers === undefined ? answer : { ...answer, headers: { ...headers, ...answer.headers } };

const jsonHeaders = { ...personalHeaders, ...jsonContent, 'X-Request-Id': '' };

// A plain object of headers, copied whole: on Node a Headers object would cost more than the rest of the answer.
const buildHeaders = (
  c: Context<AppEnv>,
  common: Record<string, string>,
  own: Record<string, string> | undefined,
): Record<string, string> => {
  const headers = { ...common };
  headers['X-Request-Id'] = c.get('arrival').requestId;
  return own === undefined ? headers : Object.assign(headers, own);
};

const varyByEncoding = (headers: Record<string, string>): void => {
  headers.Vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`;
};

const send = (
  c: Context<AppEnv>,
  status: number,
  body: string | null,
  headers: Record<string, string>,
): Response | Promise<Response> => {
  if (mayCompress(c.req.method, body)) return sendCompressed(c, status, body, headers);
  if (!isRead(c.req.method)) headers['Cache-Control'] = unpacked;
  // A cache must separate compressed answers from others, also after a 304.
  if (headers.ETag !== undefined && c.get('arrival').compress !== undefined) varyByEncoding(headers);
  return new Response(body, { status, headers });
};

/** Compresses a large answer, if the platform does not do this and the client accepts it. */
const sendCompressed = (
  c: Context<AppEnv>,
  status: number,
  body: string,
  headers: Record<string, string>,
): Response | Promise<Response> => {
  const { compress } = c.get('arrival');
  if (compress === undefined) return new Response(body, { status, headers });
  varyByEncoding(headers);
  const accepted = c.req.header('Accept-Encoding');
  const packing = accepted === undefined ? null : compress(body, accepted);
  if (packing === null) return new Response(body, { status, headers });
  return packing.then(({ encoding, content }) => {
    headers['Content-Encoding'] = encoding;
    return new Response(content, { status, headers });
  });
};

/** The parts of a request on which the format of its answer may depend. */
export const formatRequest = (c: Context<AppEnv>): FormatRequest => {
  const { language, requestId } = c.get('arrival');
  const { method, path } = c.req;
  const header = (name: string) => c.req.header(name);
  const query = (name: string) => c.req.query(name);
  const publicUrl = () => depsOf(c).config.PUBLIC_URL;
  return { language, requestId, header, query, method, path, publicUrl };
};

export const respond = (c: Context<AppEnv>, answer: Answer): Response | Promise<Response> => {
  if (answer.stream !== undefined)
    return new Response(answer.stream, {
      status: answer.status,
      headers: buildHeaders(c, personalHeaders, answer.headers),
    });
  if (answer.raw !== undefined || answer.status === 304)
    return send(
      c,
      answer.status,
      answer.status === 304 ? null : (answer.raw ?? null),
      buildHeaders(c, personalHeaders, answer.headers),
    );
  const { language, format } = c.get('arrival');
  if (format !== undefined) return respond(c, format.writeSuccess(answer, formatRequest(c)));
  const own =
    answer.message === undefined ? answer.headers : { 'Content-Language': language, ...answer.headers };
  const sent = send(c, answer.status, serializeBody(answer, language), buildHeaders(c, jsonHeaders, own));
  return answer.cookies === undefined ? sent : withCookies(sent, answer.cookies);
};

const withCookies = async (sent: Response | Promise<Response>, cookies: readonly string[]) => {
  const response = await sent;
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
};

const beginEnvelope = (envelope: object): string => JSON.stringify(envelope).slice(0, -1);
const bareHead = beginEnvelope({ status: 'success' });

/** The envelope as JSON; `data` that is already JSON is inserted unchanged. */
const serializeBody = (answer: Answer, language: Language): string => {
  const { message, data, meta } = answer;
  if (!(data instanceof JsonText)) return JSON.stringify(buildEnvelope(answer, language));
  const head = message === undefined ? bareHead : beginEnvelope(buildEnvelope({ message }, language));
  const tail = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`;
  return `${head},"data":${data.text}${tail}}`;
};

/** The body of an answer that succeeded, in its language. */
export const buildEnvelope = (
  { message, data, meta }: Omit<Answer, 'status'>,
  language: Language,
): object => {
  const envelope: Record<string, unknown> = { status: 'success' };
  if (message !== undefined) envelope.message = sentenceOf(message)[language];
  if (data !== undefined) envelope.data = data;
  if (meta !== undefined) envelope.meta = meta;
  return envelope;
};

const fieldErrors = (issues: readonly FieldIssue[], language: Language) => {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of issues) {
    const { path } = issue;
    errors[path] = [...(errors[path] ?? []), problemSentence(issue)[language]];
  }
  return errors;
};

/** Answers with a failure of the catalogue, in the one envelope that all failures share; or by the request's format. */
export const respondFailure = (
  c: Context<AppEnv>,
  code: ErrorCode,
  details: FailureDetails = {},
): Response => {
  const { language, requestId, format } = c.get('arrival');
  c.set('failure', code);
  const { status } = catalogue[code];
  const { [language]: message } = details.sentence ?? catalogue[code];
  const headers: Record<string, string> = {
    'Content-Language': language,
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="janji"' }),
    ...(status === 503 && { 'Retry-After': '1' }),
    ...details.headers,
  };
  if (format !== undefined) {
    const { issues = [], extras = {} } = details;
    const said = issues.map((issue) => ({ ...issue, message: problemSentence(issue)[language] }));
    const written = format.writeFailure(
      { code, status, message, headers, extras, issues: said },
      formatRequest(c),
    );
    const all = buildHeaders(c, personalHeaders, written.headers);
    return new Response(written.raw, { status: written.status, headers: all });
  }
  const errors = details.issues && { errors: fieldErrors(details.issues, language) };
  const envelope = { status: 'error', code, message, ...errors, request_id: requestId, ...details.extras };
  return new Response(JSON.stringify(envelope), { status, headers: buildHeaders(c, jsonHeaders, headers) });
};
