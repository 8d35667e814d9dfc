import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startNode } from './servers.ts';

it("the README's tour works as it is printed", async () => {
  const server = await startNode();
  const [, tour = ''] = readFileSync('README.md', 'utf8').split('## The tour');
  const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(tour) ?? [];
  const { stdout } = await promisify(execFile)('bash', [
    '-ec',
    script.replace('http://127.0.0.1:8787', server.url),
  ]);
  await server.stop();
  expect(stdout).toMatch(/"data":\[\{"schedule_date"/);
  expect(stdout).toContain('"message":"Janji temu berhasil dibuat dan sedang menunggu persetujuan klinik."');
  expect(stdout.match(/"notes":"Batuk tiga hari"/g)).toHaveLength(2);
});
