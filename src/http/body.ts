import type { HonoRequest } from 'hono';
import { Failure } from '../errors.ts';

export const maxBodyBytes = 65_536;

const jsonMediaType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as text, and as JSON unless it is malformed. */
export interface ReadBody {
  text: string;
  json: unknown;
  malformed: boolean;
}

const tooLarge = (): Failure => new Failure('payload_too_large');

/** A body of unknown length is counted while it comes, so that no more than the limit is ever held. */
const readCounted = async (body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) throw tooLarge();
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
  if (Number(declared) > maxBodyBytes) throw tooLarge();
  const bytes = await request.raw.arrayBuffer();
  if (bytes.byteLength > maxBodyBytes) throw tooLarge();
  return bytes;
};

const decode = (bytes: ArrayBuffer | Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure('unsupported_media_type');
  }
};

/**
 * Reads the body once and refuses what is not JSON in UTF-8. Broken JSON is only noted here, since the token, the
 * role and the ownership are answered for first. An empty body counts as `{}` where every field is optional.
 */
export const readBody = async (request: HonoRequest, optional: boolean): Promise<ReadBody> => {
  const given = decode(await readBytes(request));
  const contentType = request.header('Content-Type') ?? '';
  if (given !== '' && !jsonMediaType.test(contentType.trim())) throw new Failure('unsupported_media_type');
  const text = given === '' && optional ? '{}' : given;
  try {
    return { text, json: JSON.parse(text), malformed: false };
  } catch {
    return { text, json: {}, malformed: true };
  }
};
