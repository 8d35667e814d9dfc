import * as native from '@node-rs/argon2';
import { OWN, parsePhc } from './phc.ts';

const encoder = new TextEncoder();

/** Argon2id (RFC 9106) of the password's UTF-8 bytes with a fresh salt, as a PHC string; on libuv's pool. */
export function hash(password: string): Promise<string> {
  return native.hash(encoder.encode(password), {
    memoryCost: OWN.m,
    timeCost: OWN.t,
    parallelism: OWN.p,
    outputLen: OWN.hashBytes,
    salt: crypto.getRandomValues(new Uint8Array(OWN.saltBytes)),
  });
}

/** Whether the password made this PHC string; false for a string that `parsePhc` refuses. */
export async function verify(phc: string, password: string): Promise<boolean> {
  return parsePhc(phc) !== null && native.verify(phc, encoder.encode(password));
}
