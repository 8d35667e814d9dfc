import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { createClinicTime } from '../../../core/clinic/time.ts';
import { createSecretBox } from '../../../core/crypto/sealing.ts';
import { createTokenKeys } from '../../../core/crypto/token-keys.ts';
import { type Db, run } from '../../../core/db/db.ts';
import { findBlocks } from '../../../modules/auth/audit/block-queries.ts';
import { type Breach, type Finding, judgeFindings } from '../../../modules/auth/audit/rules.ts';
import { verifyBlocks } from '../../../modules/auth/audit/verify.ts';
import { withOpened } from '../backup/age.ts';
import { keysAtHand, secretsAtHand } from '../checks/sealed-secrets.ts';
import { documented, give, type JsonOption } from '../commands/documented.ts';
import { createSealing, openChosen } from '../commands/rekey.ts';
import { note, tell } from '../commands/terminal.ts';
import { counted } from '../counted-rules.ts';
import { addD1Options, type D1Options } from '../d1/wrangler.ts';
import { assertNew } from '../database/database-file.ts';
import { parseNodeSettings } from '../settings.ts';
import { checkCopy, type Head } from './copy.ts';
import { copyForm, exportTrail, tableForm } from './export.ts';

interface VerifyOptions extends D1Options, JsonOption {
  file?: string;
  alone?: true;
}

interface ExportOptions extends D1Options, JsonOption {
  from?: string;
  to?: string;
  csv?: true;
}

const sentences: Readonly<Record<Breach, string>> = {
  other_key: 'is sealed by a key that is not at hand',
  not_sealed: 'lines wait to be sealed for over an hour: the job of the minute does not run',
  line_missing: 'a line was deleted',
  line_added: 'a line was added',
  line_changed: 'a line was changed',
  block_missing: 'was removed',
  block_changed: 'was changed',
  link_broken: 'does not follow the block before it',
  seal_wrong: 'was sealed by somebody without the key',
};

const said = ({ kind, block }: Finding): string =>
  block === null ? sentences[kind] : `block ${block}: ${sentences[kind]}`;

/** One after another, except for blocks of another key: a copy of another clinic has thousands of them. */
const tellFindings = (findings: readonly Finding[]): void => {
  const others = findings.filter(({ kind }) => kind === 'other_key').map(({ block }) => block ?? 0);
  for (const finding of findings.filter(({ kind }) => kind !== 'other_key')) tell(said(finding));
  if (others.length > 0)
    tell(
      `${others.length} blocks from ${Math.min(...others)} to ${Math.max(...others)}: sealed by a key that is not at hand, as before DATA_KEY was lost or the database became another clinic's`,
    );
};

const exitCodes = { sound: 0, broken: 1, other_key: 2 } as const;

interface Checked {
  what: string;
  lines: number;
  blocks: number;
}

const conclude = (
  options: JsonOption,
  { what, lines, blocks }: Checked,
  findings: readonly Finding[],
): void => {
  const verdict = judgeFindings(findings);
  process.exitCode = exitCodes[verdict];
  give(options, { verdict, lines, blocks, findings }, () => {
    tellFindings(findings);
    if (verdict === 'sound') tell(`${what} is sound.`);
    else tell(`${what} ${verdict === 'broken' ? 'is BROKEN' : 'holds together'}.`);
  });
};

const aStep = { maxBlocks: 500, maxLines: 20_000 };

const verifyDatabase = async (options: VerifyOptions): Promise<void> => {
  const opened = await openChosen(options);
  try {
    const sealing = await createSealing(opened);
    const findings: Finding[] = [];
    let [after, lines, blocks] = [0, 0, 0];
    for (let unsealed: number | null = null; unsealed === null; ) {
      const checked = await verifyBlocks(sealing, Date.now(), { after, ...aStep });
      findings.push(...checked.findings);
      lines += checked.lines;
      blocks += checked.blocks;
      after = checked.after;
      unsealed = checked.unsealed;
      if (unsealed !== null && unsealed > 0)
        (options.json ? note : tell)(
          `${counted(unsealed, 'line')} ${unsealed === 1 ? 'waits' : 'wait'} for the next block.`,
        );
    }
    const what = `The audit trail of ${counted(lines, 'line')} in ${counted(blocks, 'block')}, up to block ${after},`;
    conclude(options, { what, lines, blocks }, findings);
  } finally {
    await opened.close();
  }
};

/** Blocks that differ between the database and its copy, or are missing in the database. */
const compare = async (db: Db, hashes: ReadonlyMap<number, string>): Promise<Finding[]> => {
  const wanted = [...hashes.keys()].sort((a, b) => a - b);
  const findings: Finding[] = [];
  const [oldest] = await run(db, findBlocks(db, { after: 0, limit: 1 }));
  // Retention takes the blocks before the first that is left.
  const first = oldest?.number ?? 0;
  for (let after = (wanted[0] ?? 1) - 1; after < (wanted.at(-1) ?? 0); after += 500) {
    const rows = new Map(
      (await run(db, findBlocks(db, { after, limit: 500 }))).map(({ number, hash }) => [number, hash]),
    );
    for (const number of wanted.filter((each) => each >= first && each > after && each <= after + 500)) {
      const hash = rows.get(number);
      if (hash === undefined) findings.push({ kind: 'block_missing', block: number });
      else if (hash !== hashes.get(number)) findings.push({ kind: 'block_changed', block: number });
    }
  }
  return findings;
};

/** The keys of the copied clinic, if DATA_KEY is set. */
const createKeyFinder =
  (config: Awaited<ReturnType<typeof openChosen>>['config'], path: string | null) =>
  async ({ clinic_id: clinicId }: Head) => {
    const secrets = secretsAtHand(config, path);
    if (secrets.dataKey === undefined) return null;
    const keys = await keysAtHand({ clinicId, hasLegacyKeys: true, sealedByJwt: true }, secrets);
    return { secretBox: await createSecretBox(keys), tokenKeys: await createTokenKeys(keys) };
  };

const verifyCopy = async (given: string, options: VerifyOptions): Promise<void> => {
  const file = resolve(given);
  if (!existsSync(file)) throw new Error(`${given} is not there.`);
  const opened = options.alone ? null : await openChosen(options);
  try {
    const keys = opened === null ? async () => null : createKeyFinder(opened.config, opened.path);
    const { BACKUP_IDENTITY_FILE: identityFile } = parseNodeSettings(process.env);
    const { hashes, lines, findings } = await withOpened(file, identityFile, (path) =>
      checkCopy(path, keys, Date.now()),
    );
    const held = opened === null ? [] : await compare(opened.db, hashes);
    const what = `${given}, ${counted(lines, 'line')} in ${counted(hashes.size, 'block')},`;
    if (held.length > 0) (options.json ? note : tell)('The database does not hold what the copy does:');
    conclude(options, { what, lines, blocks: hashes.size }, [...findings, ...held]);
  } finally {
    await opened?.close();
  }
};

const exportCopy = async (given: string, options: ExportOptions): Promise<void> => {
  const file = resolve(given);
  assertNew(file);
  const opened = await openChosen(options);
  try {
    const sealing = await createSealing(opened);
    const time = createClinicTime(opened.config.CLINIC_TIME_ZONE);
    const parseDate = (text: string | undefined, name: string): string | undefined => {
      if (text !== undefined && !/^\d{4}-\d\d-\d\d$/.test(text))
        throw new Error(`${name} takes a date, YYYY-MM-DD.`);
      return text;
    };
    const [from, to] = [parseDate(options.from, '--from'), parseDate(options.to, '--to')];
    const period = {
      from: from === undefined ? 0 : time.startOf(from),
      end: to === undefined ? Number.MAX_SAFE_INTEGER : time.startOf(time.addDays(to, 1)),
    };
    const form = options.csv ? tableForm : copyForm(sealing.tokenKeys.clinicId);
    const { BACKUP_RECIPIENT: recipient } = parseNodeSettings(process.env);
    const written = await exportTrail(sealing, file, form, period, { now: Date.now(), recipient });
    const { blocks, lines } = written;
    give(options, { file: given, lines, blocks }, () =>
      tell(
        `${given}: ${counted(lines, 'line')} in ${counted(blocks, 'block')}. It holds names: keep it as you keep a backup.`,
      ),
    );
  } finally {
    await opened.close();
  }
};

/** `audit`: verifies that the audit trail is unchanged, and writes a copy of it to store elsewhere. */
export const addAudit = (program: Command): void => {
  const audit = program
    .command('audit')
    .helpCommand(false)
    .description('Checks the audit trail, and copies it.');
  const verify = audit
    .command('verify')
    .summary('whether the audit trail is as it was written')
    .description(
      'Checks each block of the chain against its lines, the block before it and its seal, and names what is not as it was written.',
    )
    .option('--file <copy>', 'check a copy of `audit export`, and that the database still holds its blocks')
    .option('--alone', 'with --file: the copy alone, without a database and without keys')
    .action(async (options: VerifyOptions) =>
      options.file === undefined ? verifyDatabase(options) : verifyCopy(options.file, options),
    );
  documented(addD1Options(verify), {
    examples: ['audit verify', 'audit verify --file trail.jsonl --alone'],
    exitCodes:
      '0 sound, 1 broken or not there, 2 it holds together, but a seal is by a key that is not at hand',
  });
  const copy = audit
    .command('export')
    .argument('<file>', 'where the copy goes; an existing file is never overwritten')
    .summary('copy the audit trail into a file')
    .description(
      'Writes the blocks that hold the lines of a period, one JSON object a line, with the names of today, so that `audit verify --file` can check them wherever they are kept.',
    )
    .option('--from <date>', "the first date, by the clinic's clock; the beginning unless set")
    .option('--to <date>', 'the last date; today unless set')
    .option('--csv', 'a table for a spreadsheet, which cannot be checked')
    .addHelpText(
      'after',
      '\nWhole blocks are written, and the trail has a line that says so. With BACKUP_RECIPIENT the copy is encrypted by age, and `verify --file` opens it with BACKUP_IDENTITY_FILE.',
    )
    .action(exportCopy);
  documented(addD1Options(copy), {
    examples: ['audit export trail.jsonl --from 2026-01-01', 'audit export trail.csv --csv'],
  });
};
