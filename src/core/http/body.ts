import type { HonoRequest } from 'hono';
import { catalogue, Failure } from '../endpoint/errors.ts';
import { say } from '../endpoint/sentences.ts';
import type { Format } from './format.ts';

const maxBodyBytes = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON in UTF-8; a parameter that is not charset means nothing (RFC 8259, 11). */
export const isJson = (contentType: string): boolean => {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((one) => !one.startsWith('charset') || /^charset\s*=\s*"?utf-?8"?$/.test(one))
  );
};

const tooLarge = (maxBytes: number): Failure =>
  new Failure('payload_too_large', {
    sentence: say(catalogue.payload_too_large, { kilobytes: maxBytes / 1024 }),
  });

/** A body of unknown length is counted while it comes, so that no more than the limit is ever held. */
const readCounted = async (
  body: ReadableStream<Uint8Array> | null,
  maxBytes = maxBodyBytes,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

const readBytes = async (request: HonoRequest): Promise<ArrayBuffer | Uint8Array> => {
  const declared = request.header('Content-Length');
  if (declared === undefined || request.header('Transfer-Encoding') !== undefined)
    return readCounted(request.raw.body);
  if (Number(declared) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  const bytes = await request.raw.arrayBuffer();
  if (bytes.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
  return bytes;
};

/** If the client aborts, that is malformed JSON and not a server error. */
const brokenOff = (error: unknown): never => {
  throw error instanceof Failure ? error : new Failure('malformed_json');
};

const decode = (bytes: ArrayBuffer | Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure('unsupported_media_type');
  }
};

/** The body as text of up to so many bytes, whatever its type. */
export const readText = async (request: HonoRequest, maxBytes: number): Promise<string> =>
  decode(await readCounted(request.raw.body, maxBytes).catch(brokenOff));

const isParsable = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Makes a text the JSON body of the request, with any Content-Type that it had: the old type must not be added to the new one. */
const handOver = (request: HonoRequest, text: string): string => {
  const { url, method, headers } = request.raw;
  const own = new Headers(headers);
  own.set('Content-Type', 'application/json');
  request.raw = new Request(url, { method, headers: own });
  Object.assign(request.bodyCache, { text: Promise.resolve(text) });
  return text;
};

/**
 * Reads the body once, refuses a type that is not JSON in UTF-8, and passes the text to Hono, whose validator parses
 * it. If every field is optional, an empty body counts as `{}`, and JSON may come without a Content-Type. A format
 * decides itself which types it takes.
 */
export const readBody = async (request: HonoRequest, optional: boolean, format?: Format): Promise<string> => {
  const given = decode(await readBytes(request).catch(brokenOff));
  const contentType = request.header('Content-Type') ?? '';
  if (format !== undefined) {
    const isEmpty = given === '' && optional;
    return handOver(request, isEmpty ? '{}' : format.toJson(given, contentType, request.path));
  }
  const isUnnamed = contentType === '' && optional;
  const isNamedJson = isJson(contentType);
  if (given !== '' && !isUnnamed && !isNamedJson) throw new Failure('unsupported_media_type');
  const text = given === '' && optional ? '{}' : given;
  if (isUnnamed && given !== '' && !isParsable(given)) throw new Failure('unsupported_media_type');
  // The validator would read anything but JSON by its type as an empty object.
  if (!isNamedJson && (given !== '' || !optional)) return handOver(request, text);
  // Hono awaits the value in its cache, whatever its declared type.
  Object.assign(request.bodyCache, { text: Promise.resolve(text) });
  return text;
};
