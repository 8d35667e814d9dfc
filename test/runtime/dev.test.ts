import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { resolveExampleDates } from '../../src/core/endpoint/example-dates.ts';
import { fileOfD1 } from '../support/node/command-line.ts';
import { startWorker, temporaryFolder } from '../support/servers.ts';

/** Makes the clinic of a local D1 one that was filled by hand. */
const forgetDemo = (folder: string): void => {
  const database = new DatabaseSync(fileOfD1(folder));
  expect(database.prepare('update clinic set demo_since = null').run().changes).toBe(1);
  database.close();
};

const printsTemplate = `const { openApiTemplate } = await import('./scripts/reference.ts');
process.stdout.write(await openApiTemplate());`;

/**
 * The Node service's answer at the same time; Node itself makes it, since vitest orders a module's exports otherwise.
 */
const documentOfNode = (now: number): string => {
  const command = ['--input-type=module', '-e', printsTemplate];
  const template = execFileSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return resolveExampleDates(template, createClinicTime('Asia/Jakarta').dateOf(now));
};

it('`npm run dev` names the reference first, and accounts only where they exist', async () => {
  const folder = temporaryFolder();
  const demo = await startWorker(folder);
  await demo.stop();
  const addresses = demo
    .printed()
    .split('\n')
    .filter((line) => line.includes(demo.url));
  expect(addresses[0]).toBe(`Open ${demo.url}/docs to read the interface and try it.`);
  expect(demo.printed()).toContain('pasien@klinik.example');
  forgetDemo(folder);
  const own = await startWorker(folder);
  const document = await fetch(`${own.url}/openapi.json`);
  const text = await document.text();
  const bare = await fetch(`${own.url}/`, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  await own.stop();
  expect(own.printed()).toContain('/docs');
  expect(own.printed()).not.toContain('@klinik.example');
  // Compared whole: a difference would be printed by the megabyte.
  const answeredAt = Date.parse(document.headers.get('Date') ?? '');
  expect(text === documentOfNode(answeredAt)).toBe(true);
  expect([bare.status, bare.headers.get('Location')]).toEqual([302, '/pasien/']);
});
