// `npm run test:package`: packs the package, installs it in an empty folder as `deploy/Dockerfile` does, serves a clinic from
// there in production, and says how large it is. Fails where a figure is above its limit or something is not served.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';
import { freePort } from '../test/support/node/free-port.ts';

const limits = { packedMb: 8, installedMb: 60, packages: 20 };
const folder = mkdtempSync(join(tmpdir(), 'janji-packed-'));
const run = (command: string, args: readonly string[], cwd = folder): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const megabytesIn = (path: string): number => {
  const files = globSync('**', { cwd: path, withFileTypes: true }).filter((each) => each.isFile());
  return files.reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0) / 1e6;
};

/** The lines that the Dockerfile's last stage runs, but for the place: an empty folder instead of the whole system. */
const install = (tarball: string): void => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const [, options] = /^RUN npm install --global (.*?) \/tmp\/janji\.tgz/m.exec(dockerfile) ?? [];
  if (options === undefined) throw new Error('deploy/Dockerfile installs nothing.');
  run('npm', ['install', '--prefix', folder, '--global', ...options.split(' '), tarball]);
};

/** The pages of the documents that others in the package lead to, and that are not in it. */
const missingPages = (docs: string): string[] =>
  globSync('*.md', { cwd: docs }).flatMap((page) =>
    [...readFileSync(join(docs, page), 'utf8').matchAll(/\]\(([\w-]+\.md)/g)]
      .map(([, to = '']) => to)
      .filter((to) => !existsSync(join(docs, to)))
      .map((to) => `${page} leads to ${to}`),
  );

const served = [
  '/health',
  '/ready',
  '/pasien/',
  '/konsol/',
  '/layar/',
  '/mulai/',
  '/docs',
  '/openapi.json',
  '/v1/clinic',
];

const serve = async (): Promise<void> => {
  const janji = join(folder, 'bin/janji');
  const port = await freePort();
  run(janji, ['init', '--url', 'https://janji.klinik.example', '--port', String(port)]);
  const mode = (statSync(join(folder, 'janji.env')).mode & 0o777).toString(8);
  if (mode !== '600') throw new Error(`janji.env has the mode ${mode}.`);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LOG_LEVEL: 'warn' };
  const service = spawn(janji, ['serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(service.stdout, 'data');
    for (const path of served) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
      if (status !== 200) throw new Error(`${path} answers ${status}.`);
    }
    run(janji, ['check']);
    run(janji, ['backup', 'copy.db']);
    const d1 = spawnSync(janji, ['check', '--d1'], { cwd: folder, env, encoding: 'utf8' });
    if (!d1.stderr.startsWith('--d1 works by way of wrangler'))
      throw new Error(`check --d1 says: ${d1.stderr}`);
  } finally {
    service.kill('SIGTERM');
    const [code] = service.exitCode === null ? await once(service, 'exit') : [service.exitCode];
    if (code !== 0) process.exitCode = 1;
  }
};

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root)) as [
    { filename: string; size: number },
  ];
  install(join(folder, packed.filename));
  const modules = join(folder, 'lib/node_modules');
  const missing = missingPages(join(modules, 'janji/docs'));
  if (missing.length > 0) throw new Error(`Not in the package: ${missing.join(', ')}`);
  const figures = {
    packedMb: packed.size / 1e6,
    installedMb: megabytesIn(modules),
    packages: globSync('**/node_modules/{[!@]*,@*/*}/package.json', { cwd: folder }).length,
  };
  for (const [name, limit] of Object.entries(limits)) {
    const figure = figures[name as keyof typeof limits];
    process.stdout.write(`${name}: ${figure.toFixed(1)} of at most ${limit}\n`);
    if (figure > limit) process.exitCode = 1;
  }
  await serve();
  process.stdout.write(`served from the package, in production: ${served.join(' ')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
