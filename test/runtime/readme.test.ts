import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startNode } from '../support/servers.ts';

it("the README's tour works as it is printed, and a second time", async () => {
  const server = await startNode();
  const [, tour = ''] = readFileSync('README.md', 'utf8').split('## The tour');
  const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(tour) ?? [];
  const paste = () =>
    promisify(execFile)('bash', ['-ec', script.replace('http://127.0.0.1:8787', server.url)]);
  const [first, second] = [await paste(), await paste()];
  await server.stop();
  for (const { stdout } of [first, second]) {
    expect(stdout).toMatch(/"data":\[\{"schedule_date"/);
    expect(stdout).toContain('"message":"Janji temu berhasil dibuat dan sedang menunggu persetujuan klinik.');
  }
  const bookings = ({ stdout }: typeof first) => stdout.match(/"notes":"Batuk tiga hari"/g);
  expect([bookings(first)?.length, bookings(second)?.length]).toEqual([2, 3]);
});
