import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startNode } from '../support/servers.ts';

it('the commands that fill a clinic work as they are printed, to the first slots', async () => {
  const server = await startNode();
  const [, section = ''] = readFileSync('docs/running-a-clinic.md', 'utf8').split('## Filling the clinic');
  const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const { stdout } = await promisify(execFile)('bash', [
    '-ec',
    script.replace('http://127.0.0.1:8787', server.url),
  ]);
  await server.stop();
  expect(stdout).not.toContain('"status":"error"');
  expect(stdout.match(/"weekday":\d/g)).toHaveLength(5);
  expect(stdout.match(/"role":"(staff|doctor)"/g)).toHaveLength(2);
  expect(stdout).toMatch(/"data":\[\{"schedule_date"[^}]*"session_name":"Konsultasi Gizi"/);
});
