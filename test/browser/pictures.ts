// Makes the pictures of docs/screens.md and of the README, of the demo clinic at nine in the morning.
//   npm run pictures -- [--all-looks FOLDER] [--only pasien]
// With --all-looks the pictures of the docs stay as they are, and that folder gets every screen narrow and wide, light and
// dark, and the television in its sizes: to be looked at.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { picturesOfTheConsole } from './console/pictures.ts';
import { picturesOfPatients } from './patient/pictures.ts';
import { startByScript } from './servers.ts';
import { launch } from './support/browser.ts';
import { allLooksCamera, docsCamera } from './support/camera.ts';
import { settings } from './support/clinic.ts';
import type { Stage } from './support/stage.ts';
import { picturesOfTheWaitingRoom } from './waiting-room/pictures.ts';

const { values } = parseArgs({
  options: { 'all-looks': { type: 'string' }, only: { type: 'string' } },
});
const { only, 'all-looks': folder } = values;

const apps = {
  pasien: picturesOfPatients,
  konsol: picturesOfTheConsole,
  layar: picturesOfTheWaitingRoom,
};

// The clinic lies in a zone where it is nine in the morning, whatever time it is here: its hours are called an Indonesian
// clinic's all the same.
const callsItWib = `(() => {
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date) {
    return formatToParts.call(this, date).map((part) => (part.type === 'timeZoneName' ? { ...part, value: 'WIB' } : part));
  };
})()`;

const camera =
  folder === undefined
    ? docsCamera(fileURLToPath(new URL('../../docs/pictures', import.meta.url)), only)
    : allLooksCamera(folder);
const browser = await launch();
const served = await startByScript('start', settings);
try {
  browser.on('context', (context) => void context.addInitScript(callsItWib));
  const stage: Stage = { browser, url: served.url, runtime: 'node' };
  for (const [app, takeAll] of Object.entries(apps))
    if (only === undefined || only === app) await takeAll(stage, camera);
} finally {
  await served.stop();
  await browser.close();
}
