import * as native from '@node-rs/argon2';
import { OWN, parsePhc } from './phc.ts';

const encoder = new TextEncoder();

const ownOptions = () => ({
  memoryCost: OWN.m,
  timeCost: OWN.t,
  parallelism: OWN.p,
  outputLen: OWN.hashBytes,
  salt: crypto.getRandomValues(new Uint8Array(OWN.saltBytes)),
});

/** Argon2id (RFC 9106) of the password's UTF-8 bytes with a fresh salt, as a PHC string; runs in libuv's thread pool. */
export function hash(password: string): Promise<string> {
  return native.hash(encoder.encode(password), ownOptions());
}

/** Whether the password matches this PHC string; false for a string that `parsePhc` refuses. */
export async function verify(phc: string, password: string): Promise<boolean> {
  return parsePhc(phc) !== null && native.verify(phc, encoder.encode(password));
}

/** Like `hash`, but in the calling thread. */
export function hashNow(password: string): string {
  return native.hashSync(encoder.encode(password), ownOptions());
}

/** Like `verify`, but in the calling thread. */
export function verifyNow(phc: string, password: string): boolean {
  return parsePhc(phc) !== null && native.verifySync(phc, encoder.encode(password));
}
