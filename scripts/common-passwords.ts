// Prints src/auth/passwords/common-passwords.ts from a list ranked by frequency, one password a line:
//   zcat django/contrib/auth/common-passwords.txt.gz | node scripts/common-passwords.ts > (that file)
import { readFileSync } from 'node:fs';

const LIST_LENGTH = 3000;
const POLICY_MINIMUM = 8;
const LINE_WIDTH = 240;

// The source counts breaches worldwide; these follow its own patterns (word, word1, word123) in Indonesian,
// and the names of the service, which NIST SP 800-63B wants refused too.
const LOCAL = `alhamdulillah bismillah1 bismillah123 dokter123 indonesia1 indonesia123 janji123 janjijanji
  klinik123 rahasia1 rahasia123 sayang123 sayangkamu`.split(/\s+/);

const ranked = readFileSync(0, 'utf8')
  .split(/\r?\n/)
  .map((line) =>
    line
      .replace(/^"(.*)"$/, '$1')
      .normalize('NFKC')
      .toLowerCase(),
  )
  // Mojibake and phrases with spaces are artefacts of the dumps, and would break the format below.
  .filter((word) => /^[!-~]+$/.test(word) && !/[`\\]|\$\{/.test(word));
// Shorter ones are refused for their length already, and would only weigh on the Worker.
const common = [...new Set(ranked)].slice(0, LIST_LENGTH).filter((word) => word.length >= POLICY_MINIMUM);
const words = [...new Set(common.concat(LOCAL))].sort();

const lines = [''];
for (const word of words) {
  const line = lines[lines.length - 1] ?? '';
  if (line.length + word.length >= LINE_WIDTH) lines.push(word);
  else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
}

process.stdout.write(`// Those of the ${LIST_LENGTH} most common passwords that have at least ${POLICY_MINIMUM} characters, and ${LOCAL.length} local ones; printed by
// scripts/common-passwords.ts. Source: Django 5.2 (BSD-3-Clause, (c) Django Software Foundation and contributors;
// Debian: python3-django), from Royce Williams's ranking of Have I Been Pwned. Sorted, for it packs better.
const WORDS = \`
${lines.join('\n')}
\`;

let known: Set<string> | undefined;

/** Whether a password, already in NFKC and lower case, is one of the common ones (NIST SP 800-63B, 5.1.1.2). */
export function isCommonPassword(folded: string): boolean {
  known ??= new Set(WORDS.trim().split(/\\s/));
  return known.has(folded);
}
`);
