import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

/** The file that `janji init` writes and every command reads, in its working directory. */
export const settingsFile = 'janji.env';

/** Reads a file of settings into the environment; what the environment has already stays. */
export const readSettings = (path: string | undefined): void => {
  if (path !== undefined || existsSync(settingsFile)) loadEnvFile(path ?? settingsFile);
};
