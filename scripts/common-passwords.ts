// Writes src/modules/auth/passwords/common-passwords.txt again: npm run common-passwords
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { allCommonPasswords } from '../src/modules/auth/passwords/common-passwords.ts';
import { commonPasswordsFile } from '../src/runtime/node/common-passwords.ts';

const WANTED = 10_000;
const POLICY_MINIMUM = 8;
const LINE_WIDTH = 280;
// The number of characters that a word shares with the one before is written as one digit.
const LONGEST_SHARED = 9;

// The source counts breaches worldwide; these follow its own patterns (word, word1, word123) in Indonesian,
// and the names of the service, which NIST SP 800-63B wants refused too.
const LOCAL = `alhamdulillah bismillah1 bismillah123 dokter123 indonesia1 indonesia123 janji123 janjijanji
  klinik123 rahasia1 rahasia123 sayang123 sayangkamu`.split(/\s+/);

const source = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
const ranked: string[] = JSON.parse(readFileSync(source, 'utf8'));

const common = ranked
  .map((word) => word.normalize('NFKC').toLowerCase())
  // Shorter ones are refused for their length already, and would only weigh on the Worker; spaces and the signs of a
  // template would break the format below.
  .filter((word) => word.length >= POLICY_MINIMUM && /^[!-~]+$/.test(word) && !/[`\\]|\$\{/.test(word));
const maxCommon = [...new Set(common)].slice(0, WANTED);
// Existing entries stay, so that no refused password becomes allowed again.
const words = [
  ...new Set([...maxCommon, ...LOCAL, ...allCommonPasswords(readFileSync(commonPasswordsFile, 'utf8'))]),
].sort();

const sharedLength = (a: string, b: string): number => {
  let length = 0;
  while (length < LONGEST_SHARED && length < a.length && a[length] === b[length]) length += 1;
  return length;
};

const lines: string[] = [];
let line = '';
let before = '';
for (const word of words) {
  const shared = sharedLength(before, word);
  const packed = ` ${shared}${word.slice(shared)}`;
  if (line !== '' && line.length + packed.length <= LINE_WIDTH) line += packed;
  else {
    if (line !== '') lines.push(line);
    line = `0${word}`;
  }
  before = word;
}
lines.push(line);

writeFileSync(commonPasswordsFile, `${lines.join('\n')}\n`);
process.stdout.write(`${words.length} passwords\n`);
