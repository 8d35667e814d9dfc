// Without letters and digits that people confuse when they read a code aloud or type it.
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 8;

// A pool, since asking the system for a few random bytes each time costs as much as a read of the database.
const pool = new Uint8Array(1_024);
let used = pool.length;

const randomByte = (): number => {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte;
};

/** A booking code such as "7KQ2M9XR": 39 random bits, unique in the database. */
export const newBookingCode = (): string => {
  let code = '';
  while (code.length < length) {
    const byte = randomByte();
    // 240 is the last multiple of 30 in a byte: the bytes above it would make some letters more frequent.
    if (byte < 240) code += alphabet[byte % alphabet.length];
  }
  return code;
};

const form = new RegExp(`^[${alphabet}]{${length}}$`);

/** Whether a text, in capitals, has the form of a booking code. */
export const isBookingCode = (text: string): boolean => form.test(text);
