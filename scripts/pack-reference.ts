// Packs the reference's large files with brotli at its best; the install runs it. Without it, or where it cannot run,
// they are packed less well at their first request.
import { packAtInstall } from '../src/node/serve/public-files.ts';

await packAtInstall();
