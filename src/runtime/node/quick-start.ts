// Loaded by `node --import` before the program. Node parses the whole package.json of drizzle-orm, 179 kB, for each of
// its files and for each import that names it: two fifths of the start. Here the package is resolved once. Without this
// file everything works, but starts later.
import { type ResolveFnOutput, registerHooks } from 'node:module';

const library = 'drizzle-orm';
const found = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? '';
    // All its modules of this extension are ES modules: no folder of it has a package.json of its own.
    if (parent.includes(`/node_modules/${library}/`) && /^\.\.?\/.*\.js$/.test(specifier))
      return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true };
    // Another package may have another version.
    if (specifier.split('/')[0] !== library || parent.includes('/node_modules/'))
      return next(specifier, context);
    const key = [specifier, ...context.conditions].join(' ');
    const known = found.get(key) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(key, known);
    return known;
  },
});
