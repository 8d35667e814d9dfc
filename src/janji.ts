#!/usr/bin/env node
// Whole, since an older Node does not have this function: it would end before it could say what is wrong.
import * as nodeModule from 'node:module';
import { isNodeNewEnough, minNodeVersion } from './runtime/node/node-version.ts';
import { endAtSignal } from './runtime/node/serve/early-end.ts';

if (!isNodeNewEnough()) {
  const [needed, present] = [minNodeVersion.join('.'), process.versions.node];
  process.stderr.write(
    `Janji needs Node ${needed} or newer, and this is ${present}: https://nodejs.org/en/download\n`,
  );
  process.exit(1);
}

// Before the others: all modules loaded after it use a compile cache, so that later starts take two thirds of the time.
nodeModule.enableCompileCache();

const [command, ...options] = process.argv.slice(2);
// Serving loads none of the other commands.
if (options.length === 0 && (command === undefined || command === 'serve')) {
  endAtSignal();
  await (await import('./node.ts')).serveAsIs(command);
} else await import('./cli.ts');
