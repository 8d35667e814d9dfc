import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderWithPackage = (folder: string): string =>
  existsSync(join(folder, 'package.json')) ? folder : folderWithPackage(dirname(folder));

/** The folder of package.json, above the sources and the build; it contains the migrations and the pages. */
export const packageFolder = folderWithPackage(dirname(fileURLToPath(import.meta.url)));
