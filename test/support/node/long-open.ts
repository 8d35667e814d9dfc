import { join } from 'node:path';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { book, createClinic } from '../clinic-people.ts';
import { createWorld, mondayMorning, settleAll } from '../world.ts';
import { commandLine } from './command-line.ts';
import { giveLongPast } from './long-past.ts';

const settings = {
  DATA_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
  ARCHIVE_AFTER_DAYS: '400',
};

/** A clinic of so many years that so many visits of one patient are older than the horizon. */
export const longOpen = async (visits: number, folder: string) => {
  const path = join(folder, 'janji.db');
  const { db, close, emptyLog } = await openDatabase(`file:${path}`);
  const world = await createWorld({}, mondayMorning, db);
  await book(world, await createClinic(world));
  await settleAll();
  await emptyLog?.('now');
  await close();
  giveLongPast(path, visits);
  /** Runs a command with these keys and a horizon. */
  const janji = (...args: string[]) => commandLine(folder).with(settings, ...args);
  return { folder, path, archive: join(folder, 'janji-archive.db'), settings, janji };
};
