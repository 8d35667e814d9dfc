import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from './service.ts';

/** The path of the server's binary, if it is installed: it is not a dependency. */
export const sqldBinary = process.env.SQLD;

export interface Sqld {
  url: string;
  folder: string;
  /** Ends it as a power cut would, but for what the kernel has not written to the disk yet. */
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
};

/** Commits reach the disk before they are answered: its own default loses the last ones when power fails. */
const makeDurable = async (admin: string): Promise<void> => {
  const settings = { block_reads: false, block_writes: false, durability_mode: 'strong' };
  const response = await fetch(`${admin}/v1/namespaces/default/config`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!response.ok) throw new Error(`durability_mode was refused: ${response.status}`);
};

/** A libSQL server with the settings that docs/operations.md asks for, and a folder of its own; it ends with the test. */
export const startSqld = async (publicKey?: KeyObject): Promise<Sqld> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-sqld-'));
  const [address, adminAddress] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const options = ['--db-path', join(folder, 'db'), '--no-welcome', '--checkpoint-interval-s', '10'];
  options.push('--http-listen-addr', address, '--admin-listen-addr', adminAddress);
  if (publicKey !== undefined) {
    const keyFile = join(folder, 'key.pem');
    writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
    options.push('--auth-jwt-key-file', keyFile);
  }
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined) return;
    ending.kill('SIGKILL');
    await once(ending, 'exit');
  };
  const restart = async (): Promise<void> => {
    child = spawn(sqldBinary as string, options, { stdio: 'ignore' });
    while (!(await answers(`http://${address}/health`))) {
      if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`);
      await sleep(20);
    }
    await makeDurable(`http://${adminAddress}`);
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await restart();
  return { url: `http://${address}`, folder, kill, restart };
};

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key pair of the server's tokens, and a token that it accepts. */
export const newTokenKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const content = `${base64url({ alg: 'EdDSA', typ: 'JWT' })}.${base64url({ a: 'rw' })}`;
  const token = `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
  return { publicKey, token };
};
