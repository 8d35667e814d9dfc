import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin } from 'vite';

const root = fileURLToPath(new URL('../../web', import.meta.url));

/** The pages by the first part of their addresses, and the folder of each in web/. */
export const folders: Readonly<Record<string, string>> = {
  pasien: 'patient',
  konsol: 'console',
  layar: 'waiting-room',
  operator: 'operator',
  kios: 'kiosk',
};
export const apps = Object.keys(folders);

/** An app's folder. */
export const sourceFolder = (app: string): string => join(root, folders[app] ?? app);

/** Writes a page at its address: Vite names it by its folder. */
const pageAtItsAddress = (app: string): Plugin => ({
  name: 'page-at-its-address',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle[`${folders[app]}/index.html`];
    if (page !== undefined) page.fileName = `${app}/index.html`;
  },
});

/** The oldest engines: phones of three years, and televisions of seven. */
const targets: Readonly<Record<string, string[]>> = {
  pasien: ['chrome109', 'safari16', 'firefox115'],
  konsol: ['chrome109', 'safari16', 'firefox115'],
  operator: ['chrome109', 'safari16', 'firefox115'],
  kios: ['chrome109', 'safari16', 'firefox115'],
  layar: ['chrome76', 'es2019'],
};

const common = (app: string, out: string) =>
  ({
    configFile: false,
    root,
    base: '/',
    logLevel: 'warn',
    publicDir: false,
    cacheDir: join(root, '../node_modules/.cache/vite'),
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: out,
      emptyOutDir: false,
      target: targets[app] ?? [],
      cssTarget: (targets[app] ?? []).filter((name) => !name.startsWith('es')),
      // Nothing inline: the policy refuses it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  }) satisfies InlineConfig;

/** The build of one app: its page, its program, and what it loads later. */
export const configOf = (app: string, out: string): InlineConfig => {
  const { build, ...rest } = common(app, out);
  return {
    ...rest,
    plugins: [pageAtItsAddress(app)],
    css: { modules: { generateScopedName: `${app}-[name]-[local]-[hash:base64:4]` } },
    build: {
      ...build,
      license: { fileName: 'licences.json' },
      manifest: 'manifest.json',
      rolldownOptions: {
        input: { [app]: join(sourceFolder(app), 'index.html') },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: `assets/${app}-[name]-[hash].js`,
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  };
};

/** An app's service worker: one classic file at a fixed address, which knows the names of the others. */
export const workerConfigOf = (app: string, out: string, shell: readonly object[]): InlineConfig => {
  const { build, ...rest } = common(app, out);
  return {
    ...rest,
    define: { SHELL: JSON.stringify(shell), 'process.env.NODE_ENV': '"production"' },
    build: {
      ...build,
      lib: {
        entry: join(sourceFolder(app), 'sw.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => `${app}/sw.js`,
      },
    },
  };
};
