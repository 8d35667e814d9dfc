// Builds the OpenAPI documents and the page that shows them into public/, where both runtimes serve them from.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';
import { referenceList } from '../src/runtime/node/pages/built-files.ts';
import { isFresh, isInstalled } from './fresh.ts';
import { listedIn, publish, write } from './publish.ts';

const sources = ['src/**', 'scripts/{reference,publish}.ts', 'package-lock.json'];

const ours = (name: string) => readFileSync(join(root, 'src/interface/reference/site', name));
const theirs = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
const json = (document: object) => new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`);

/** The OpenAPI document; its examples' dates are filled in as it is served. */
export const openApiTemplate = async (): Promise<Uint8Array> => {
  const [{ callsTemplate }, { withOpenAnswers }] = await parts();
  return json(withOpenAnswers(callsTemplate()));
};

// Loaded when they are needed: they take longer than to see that nothing has to be built.
const parts = () =>
  Promise.all([
    import('../src/interface/reference/document.ts'),
    import('../src/interface/reference/open-answers.ts'),
  ]);

const eventsTemplate = async (): Promise<Uint8Array> => {
  const [document, { withOpenAnswers }] = await parts();
  return json(withOpenAnswers(document.eventsTemplate()));
};

const files: Readonly<Record<string, () => Uint8Array | Promise<Uint8Array>>> = {
  '/openapi.json': openApiTemplate,
  '/openapi-webhooks.json': eventsTemplate,
  '/docs/index.html': () => ours('index.html'),
  '/docs/reference.js': () => ours('reference.js'),
  '/docs/reference.css': () => ours('reference.css'),
  '/docs/swagger-ui-bundle.js': () => theirs('swagger-ui-bundle.js'),
  '/docs/swagger-ui.css': () => theirs('swagger-ui.css'),
  '/docs/favicon-32x32.png': () => theirs('favicon-32x32.png'),
};

/** Builds the reference, unless it is built already. */
export const buildReference = async (): Promise<void> => {
  if (isFresh(`public/${referenceList}`, sources) || !isInstalled('swagger-ui-dist')) return;
  const before = listedIn(referenceList);
  const made = Object.entries(files).map(
    async ([path, read]) => [path, publish(path, await read(), before[path])] as const,
  );
  // Last: the files that it names exist by now.
  write(referenceList, `${JSON.stringify(Object.fromEntries(await Promise.all(made)), null, 1)}\n`);
};
