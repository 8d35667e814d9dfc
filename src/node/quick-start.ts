// For `node --import`, before the program: two fifths of a start were spent on the package.json of drizzle-orm. Node takes the
// whole of it apart, 179 kB, for each file of a package that it loads, and for each place that names the package. Here what
// is true of the package is found once. Without this file everything runs as well, and starts later.
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
