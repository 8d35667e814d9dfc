import { OWN, parsePhc } from './phc.ts';

/** The exports of the reference C code in @phi-ag/argon2's .wasm; sizes and pointers in bytes. */
type Exports = {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  free(pointer: number): void;
  argon2_encodedlen(t: number, m: number, p: number, salt: number, hash: number, type: number): number;
  // biome-ignore format: one line a group of the C signature
  argon2_hash(
    t: number, m: number, p: number,
    password: number, passwordBytes: number, salt: number, saltBytes: number,
    hash: number, hashBytes: number, encoded: number, encodedBytes: number,
    type: number, version: number,
  ): number;
  argon2_verify(encoded: number, password: number, passwordBytes: number, type: number): number;
};

const ARGON2ID = 2;
const VERSION = 0x13;
const OK = 0;
const MISMATCH = -35;

/** Wraps one wasm instance. All calls are synchronous, so requests cannot interleave. */
export function driveArgon2(instance: WebAssembly.Instance) {
  // Its exports are those of the version in the lock file; every test of a password calls them.
  const wasm = instance.exports as Exports;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  wasm._initialize();

  // A view becomes invalid when the memory grows, so each use creates a new one.
  const bytesAt = (pointer: number, length: number) => new Uint8Array(wasm.memory.buffer, pointer, length);

  /** Copies the buffers into wasm memory for `use`; always zeroes and frees them afterwards. */
  function lend<T>(buffers: Uint8Array[], use: (...pointers: number[]) => T): T {
    const lent: { pointer: number; length: number }[] = [];
    try {
      for (const { length } of buffers) {
        const pointer = wasm.malloc(Math.max(1, length));
        if (pointer === 0) throw new Error('argon2: out of wasm memory');
        lent.push({ pointer, length });
      }
      lent.forEach(({ pointer, length }, i) => {
        bytesAt(pointer, length).set(buffers[i] ?? []);
      });
      return use(...lent.map(({ pointer }) => pointer));
    } finally {
      for (const { pointer, length } of lent) {
        bytesAt(pointer, length).fill(0);
        wasm.free(pointer);
      }
    }
  }

  /** Argon2id (RFC 9106) of the password's UTF-8 bytes with a fresh salt, as a PHC string. */
  function hash(password: string): string {
    const { m, t, p, saltBytes, hashBytes } = OWN;
    const secret = encoder.encode(password);
    const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
    const room = wasm.argon2_encodedlen(t, m, p, saltBytes, hashBytes, ARGON2ID);
    return lend([secret, salt, new Uint8Array(hashBytes), new Uint8Array(room)], (...pointers) => {
      const [pass = 0, saltAt = 0, hashAt = 0, text = 0] = pointers;
      // biome-ignore format: grouped as in the signature above
      const code = wasm.argon2_hash(
        t, m, p,
        pass, secret.length, saltAt, saltBytes,
        hashAt, hashBytes, text, room,
        ARGON2ID, VERSION,
      );
      if (code !== OK) throw new Error(`argon2: hash failed with ${code}`);
      return decoder.decode(bytesAt(text, room - 1));
    });
  }

  /** Whether the password matches this PHC string; false for a string that `parsePhc` refuses. */
  function verify(phc: string, password: string): boolean {
    if (parsePhc(phc) === null) return false;
    const secret = encoder.encode(password);
    return lend([encoder.encode(`${phc}\0`), secret], (text = 0, pass = 0) => {
      const code = wasm.argon2_verify(text, pass, secret.length, ARGON2ID);
      if (code !== OK && code !== MISMATCH) throw new Error(`argon2: verify failed with ${code}`);
      return code === OK;
    });
  }

  return { hash, verify };
}
