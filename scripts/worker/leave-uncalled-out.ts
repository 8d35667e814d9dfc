import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { type Cut, cut, type Node, without } from './cuts.ts';

/** Ways to run a statement by itself: `src/db/` sends batches alone, and prepares their statements by `_prepare`. */
const ways = ['run', 'all', 'get', 'execute', 'prepare', '$dynamic', 'toSQL'];
const readers = ['run', 'all', 'get', 'values'];
const joins = ['createJoin', 'leftJoin', 'rightJoin', 'innerJoin', 'fullJoin'];
const extractors = ['All', 'Get', 'Values'].map((kind) => `extractRaw${kind}ValueFromBatchResult`);

/**
 * What no Worker calls of a class, by file: no bundler drops a method of a class that is used. With it goes what it alone
 * imports.
 */
const methods: Readonly<Record<string, readonly string[]>> = {
  'drizzle-orm/sqlite-core/dialect.js': ['buildRelationalQuery', 'migrate'],
  'drizzle-orm/sqlite-core/db.js': [...readers, '$count', 'with', '$with', 'selectDistinct', 'transaction'],
  'drizzle-orm/sqlite-core/session.js': [
    ...readers,
    ...extractors,
    'queryWithCache',
    'execute',
    'count',
    'mapAllResult',
    'mapGetResult',
  ],
  'drizzle-orm/sqlite-core/query-builders/select.js': [
    ...ways,
    ...[
      'values',
      '$withCache',
      'rightJoin',
      'fullJoin',
      'crossJoin',
      'intersect',
      'except',
      'having',
      'offset',
    ],
  ],
  'drizzle-orm/sqlite-core/query-builders/insert.js': ways,
  'drizzle-orm/sqlite-core/query-builders/update.js': [...ways, 'values', ...joins, 'orderBy', 'limit'],
  'drizzle-orm/sqlite-core/query-builders/delete.js': [...ways, 'values', 'orderBy', 'limit'],
  'drizzle-orm/sql/sql.js': ['append', 'inlineParams', 'mapInlineParam', 'if'],
  'drizzle-orm/d1/session.js': [
    ...readers,
    ...extractors,
    'transaction',
    'mapGetResult',
    'isResponseInArrayMode',
  ],
  // Each column has its name, and no query is logged or kept.
  'drizzle-orm/cache/core/cache.js': ['get', 'put', 'onMutate'],
  'drizzle-orm/casing.js': ['cacheTable', 'clearCache'],
  'drizzle-orm/logger.js': ['logQuery', 'write'],
  'drizzle-orm/sqlite-core/columns/integer.js': ['defaultNow'],
  'hono/dist/hono-base.js': ['mount', 'route', 'basePath', 'clone', 'request', 'fire'],
  'hono/dist/context.js': ['event', 'render', 'setLayout', 'getLayout', 'setRenderer', 'html', 'redirect'],
  'hono/dist/request.js': ['parseBody', 'blob', 'formData', 'bytes', 'matchedRoutes', 'routePath'],
  // What a column says for the migrations and the types is left out of our tables.
  'drizzle-orm/column-builder.js': ['$type', '$defaultFn', '$default', '$onUpdateFn', '$onUpdate'],
  'drizzle-orm/sqlite-core/columns/common.js': ['references', 'unique', 'generatedAlwaysAs'],
  // Brings its own SHA-256; ours is the platform's.
  '@oslojs/webauthn/dist/auth.js': ['verifyRelyingPartyIdHash'],
};

/** The same of functions: one that others name, but that no call of ours comes to. */
const functions: Readonly<Record<string, readonly string[]>> = {
  // Our keys are CryptoKeys, and tokens are told by HS256 alone.
  'hono/dist/utils/jwt/jwt.js': ['verifyWithJwks', 'decodeHeader'],
  'hono/dist/utils/jwt/jws.js': ['pemToBinary', 'exportPublicJwkFrom'],
  'drizzle-orm/casing.js': ['toSnakeCase', 'toCamelCase'],
  // What is united is a query, never a callback that makes one.
  'drizzle-orm/sqlite-core/query-builders/select.js': ['createSetOperator', 'getSQLiteSetOperators'],
  // No contract takes a form or a cookie.
  'hono/dist/utils/buffer.js': ['bufferToFormData'],
  'hono/dist/helper/cookie/index.js': ['getCookie'],
};

/**
 * Modules of which nothing is called, but which others name: relational queries, statements that are counts or raw, builders
 * that are handed to a callback, kinds of columns that a table is handed, and keys that only a migration reads.
 */
const modules = [
  'drizzle-orm/sqlite-core/columns/blob.js',
  'drizzle-orm/sqlite-core/columns/numeric.js',
  'drizzle-orm/sqlite-core/foreign-keys.js',
  'drizzle-orm/sqlite-core/query-builders/query-builder.js',
  'drizzle-orm/relations.js',
  'drizzle-orm/sqlite-core/query-builders/query.js',
  'drizzle-orm/sqlite-core/query-builders/count.js',
  'drizzle-orm/sqlite-core/query-builders/raw.js',
  'drizzle-orm/sqlite-core/columns/all.js',
];

const fileOf = (id: string): string => id.slice(id.lastIndexOf('/node_modules/') + '/node_modules/'.length);
const idsOf = (files: readonly string[]) =>
  files.map((file) => new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`));

/** A function by a name, as a method or as a property that each instance gets. */
interface Method extends Node {
  key: object;
}

const nameOf = ({ key }: Method): string => ('name' in key ? String(key.name) : '');

/** The source of a module without some of its methods; a name that it does not have is a mistake. */
export const withoutMethods = (source: string, names: readonly string[]): string => {
  const found: Method[] = [];
  const note = (node: Method): void => {
    if (names.includes(nameOf(node))) found.push(node);
  };
  new Visitor({ MethodDefinition: note, PropertyDefinition: note }).visit(parseSync('a.js', source).program);
  const missing = names.filter((name) => found.every((method) => nameOf(method) !== name));
  if (missing.length > 0) throw new Error(`There is no method ${missing.join(', ')}.`);
  return without(
    source,
    found.map((method) => cut(source, method)),
  );
};

interface Declared extends Node {
  id: object | null;
  body?: Node | null;
  init?: Node | null;
}

/** The source of a module whose functions of these names do nothing; a name that it does not have is a mistake. */
export const withoutBodies = (source: string, names: readonly string[]): string => {
  const found = new Map<string, Cut>();
  const note = ({ id, body, init }: Declared): void => {
    const name = id !== null && 'name' in id ? String(id.name) : '';
    if (!names.includes(name)) return;
    if (body) found.set(name, cut(source, body, '{}'));
    else if (init) found.set(name, cut(source, init, '() => {}'));
  };
  new Visitor({ FunctionDeclaration: note, VariableDeclarator: note }).visit(
    parseSync('a.js', source).program,
  );
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`There is no function ${missing.join(', ')}.`);
  return without(source, [...found.values()]);
};

/** A module with the same exports, all of them undefined. */
export const hollow = (source: string): string =>
  parseSync('a.js', source)
    .module.staticExports.flatMap(({ entries }) => entries)
    .map(({ exportName }) => `export const ${exportName.name} = undefined;\n`)
    .join('');

export const leaveUncalledOut: Plugin = {
  name: 'leave-uncalled-out',
  load: {
    filter: { id: idsOf(modules) },
    handler: (id) => hollow(readFileSync(id, 'utf8')),
  },
  transform: {
    filter: { id: idsOf([...Object.keys(methods), ...Object.keys(functions)]) },
    handler: (source, id) => ({
      code: withoutBodies(withoutMethods(source, methods[fileOf(id)] ?? []), functions[fileOf(id)] ?? []),
      map: null,
    }),
  },
};
