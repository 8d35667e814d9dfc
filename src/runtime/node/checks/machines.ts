import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { directoryNow, listMachines, type Machine } from '../../../modules/clinics/lease-queries.ts';
import { connectDatabase } from '../database/database.ts';
import { explainError } from '../reason.ts';
import type { NodeSettings } from '../settings.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const answerMs = 3_000;

const checkAddress = async ({ address, computer }: Machine): Promise<Finding> => {
  try {
    const { ok: isWell } = await fetch(new URL('/health', address), {
      signal: AbortSignal.timeout(answerMs),
      redirect: 'error',
    });
    if (isWell) return ok('machines', `${address} (${computer}) answers`);
  } catch {
    // Said below.
  }
  return wrong(
    'machines',
    `${address} (${computer}) serves clinics and cannot be reached from here`,
    'let the machines reach each other at their CLINICS_ADDRESS',
  );
};

const listServing = async (url: string, token: string | undefined): Promise<Machine[]> => {
  const { db, close } = await connectDatabase(url, token);
  try {
    return await listMachines(db, directoryNow);
  } finally {
    await close();
  }
};

/** Whether the directory that several machines share answers, and whether they reach each other. */
export const checkMachines = async ({
  CLINICS_DIRECTORY: url,
  CLINICS_DIRECTORY_TOKEN: token,
  CLINICS_ADDRESS: address,
}: NodeSettings): Promise<Finding[]> => {
  if (url === undefined) return [];
  const found: Finding[] = [];
  if (address === undefined)
    found.push(
      wrong(
        'machines',
        'CLINICS_ADDRESS is not set',
        'set it to where the other machines reach this one, such as http://10.0.0.1:8787',
      ),
    );
  if (url.startsWith('file:') && !existsSync(resolve(url.slice('file:'.length))))
    return [...found, wrong('directory', `${url} is not there yet`, 'janji clinics add NAME --host HOST')];
  try {
    const began = performance.now();
    const machines = await listServing(url, token);
    found.push(ok('directory', `it answers (${Math.round(performance.now() - began)} ms)`));
    if (machines.length === 0) found.push(note('machines', 'none serves now'));
    return [...found, ...(await Promise.all(machines.map(checkAddress)))];
  } catch (error) {
    const says = `it cannot be read (${explainError(error)})`;
    return [...found, wrong('directory', says, 'check CLINICS_DIRECTORY and CLINICS_DIRECTORY_TOKEN')];
  }
};
