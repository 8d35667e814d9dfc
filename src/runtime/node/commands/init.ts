import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { explainError } from '../reason.ts';
import { parseAllSettings } from '../settings.ts';
import { settingsFile } from '../settings-file.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, openPrompt, tell } from './terminal.ts';

interface Options extends JsonOption {
  url?: string;
  zone?: string;
  database?: string;
  port?: string;
  host?: string;
  proxies?: string;
}

const questions = [
  ['url', 'The address of https under which people will reach it (empty: not yet known)', ''],
  ['zone', "The clinic's time zone", 'Asia/Jakarta'],
] as const;

/** Asks until the answer is a value that the service accepts. */
const ask = async (
  question: (text: string) => Promise<string>,
  [name, text, otherwise]: (typeof questions)[number],
): Promise<string> => {
  for (;;) {
    const answer = (await question(`${text}${otherwise && ` [${otherwise}]`}: `)).trim() || otherwise;
    try {
      parseAllSettings(settingsFrom({ [name]: answer }));
      return answer;
    } catch (error) {
      note(explainError(error));
    }
  }
};

/** Asks at a terminal for values that no option gives; elsewhere says what was not asked. */
const askMissing = async (options: Options): Promise<Options> => {
  if (!process.stdin.isTTY) {
    for (const [name, , otherwise] of questions)
      if (options[name] === undefined)
        note(`Nothing is asked without a terminal: without --${name} it is ${otherwise || 'left out'}.`);
    return options;
  }
  const prompt = openPrompt({ input: process.stdin, output: process.stderr });
  try {
    const asked = { ...options };
    for (const one of questions) asked[one[0]] ??= await ask(prompt.ask, one);
    return asked;
  } finally {
    prompt.close();
  }
};

const draw = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Each setting that is written; only those that the caller gave, and the secrets. */
const settingsFrom = (options: Options): Record<string, string> => {
  const given = {
    PUBLIC_URL: options.url,
    CLINIC_TIME_ZONE: options.zone ?? 'Asia/Jakarta',
    DATABASE_URL: options.database === undefined ? undefined : `file:${options.database}`,
    PORT: options.port,
    HOST: options.host,
    TRUST_PROXY: options.proxies,
  };
  const written = Object.entries(given).filter(([, value]) => value !== undefined && value !== '');
  return {
    // `janji serve` implies it; the other commands, such as `check`, learn by it how the service will be run.
    NODE_ENV: 'production',
    ...(Object.fromEntries(written) as Record<string, string>),
    JWT_SECRET: draw(48),
    DATA_KEY: draw(32),
    METRICS_TOKEN: draw(24),
  };
};

const renderSettings = (settings: Readonly<Record<string, string>>): string => {
  // Node and systemd read `#` as a comment where nothing quotes it.
  const quoted = (value: string) => (/^[\w:/.@+-]+$/.test(value) ? value : `"${value}"`);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  return `# Settings of Janji, for \`janji serve\` and every other command. docs/settings.md explains each.
# DATA_KEY opens patients' numbers and the secrets in the database and in its backups: keep a copy elsewhere.
${lines.join('\n')}
`;
};

/** `init`: writes a file of settings with new secrets; an existing file is never overwritten. */
export const addInit = (program: Command): void => {
  const command = program
    .command('init')
    .summary('write the settings of a new service')
    .description(
      `Writes ${settingsFile} (or the file of --settings) with fresh secrets, which its owner alone may read (0600), and refuses where there is one. At a terminal it asks for the address and the zone where no option gives them.`,
    )
    .option(
      '--url <origin>',
      'the address under which people will reach it, such as https://janji.klinik.example',
    )
    .option('--zone <zone>', "the clinic's time zone (Asia/Jakarta)")
    .option('--database <path>', 'the file of the database (data/janji.db)')
    .option('--port <port>', 'where it listens (8787)')
    .option('--host <address>', 'where it listens (127.0.0.1)')
    .option('--proxies <count>', 'how many proxies of yours a request passes, such as 1 behind Caddy')
    .action(async (options: Options) => {
      const file = program.opts<{ settings?: string }>().settings ?? settingsFile;
      const there = () =>
        new Error(`${file} is there already, and its secrets would be lost: nothing was written.`);
      if (existsSync(file)) throw there();
      const settings = settingsFrom(await askMissing(options));
      // Reported now, not at the first start.
      parseAllSettings(settings);
      mkdirSync(dirname(file), { recursive: true });
      try {
        writeFileSync(file, renderSettings(settings), { mode: 0o600, flag: 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw there();
      }
      give(options, { file, settings: Object.keys(settings) }, () => tell(`${file} is written.`));
      const named = file === settingsFile ? '' : `--settings ${file} `;
      note(`Next: janji ${named}serve. It prints a link for the first admin.`);
    });
  documented(command, {
    atClinics: false,
    examples: [
      'init --url https://janji.klinik.example --proxies 1',
      '--settings /etc/janji/janji.env init --json',
    ],
  });
};
