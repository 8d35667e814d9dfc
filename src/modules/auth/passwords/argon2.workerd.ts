// The package's own class truncates passwords (it passes UTF-16 lengths as byte lengths): only its .wasm is used.
import module from '@phi-ag/argon2/argon2.wasm';
import { driveArgon2 } from './wasm.ts';

let driver: ReturnType<typeof driveArgon2> | undefined;

// Created on first use: most requests hash nothing, and this keeps cold starts fast.
function argon2() {
  driver ??= driveArgon2(new WebAssembly.Instance(module));
  return driver;
}

/** Argon2id (RFC 9106) of the password's UTF-8 bytes with a fresh salt, as a PHC string; inline, about 21 ms. */
export async function hash(password: string): Promise<string> {
  return argon2().hash(password);
}

/** Whether the password matches this PHC string; false for a string that `parsePhc` refuses. */
export async function verify(phc: string, password: string): Promise<boolean> {
  return argon2().verify(phc, password);
}
