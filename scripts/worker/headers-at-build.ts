import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/**
 * Headers are computed when the Worker is built, so that neither their middleware nor its work at the start is in it. Only
 * what JSON can hold is exported; to import anything else of these files fails the build.
 */
export const headersAtBuild: Plugin = {
  name: 'headers-at-build',
  load: {
    filter: { id: /\/src\/core\/http\/(pages\/page-)?headers\.ts$/ },
    async handler(id) {
      const values: object = await import(pathToFileURL(id).href);
      const exports = Object.entries(values)
        .filter(([, value]) => typeof value !== 'function')
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
      return { code: exports.join(''), moduleType: 'js' };
    },
  },
};
