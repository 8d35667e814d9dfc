// Without the letters and digits that are mistaken for one another when read aloud or typed.
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 8;

/** A booking code such as "7KQ2M9XR": 39 random bits, unique in the database. */
export const newBookingCode = (): string => {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      // 240 is the last multiple of 30 in a byte: beyond it some letters would come up more often.
      if (byte < 240 && code.length < length) code += alphabet[byte % alphabet.length];
    }
  }
  return code;
};

const form = new RegExp(`^[${alphabet}]{${length}}$`);

/** Whether a text, in capitals, has the form of a booking code. */
export const isBookingCode = (text: string): boolean => form.test(text);
