import { dirname } from 'node:path';

/** The folders of src whose tests are not in the folder of the same name below test; the first that fits counts. */
const folders: readonly (readonly [src: RegExp, test: string])[] = [
  [/^src\/core\/tables/, 'test/db'],
  [/^src\/core\/endpoint/, 'test/interface'],
  [/^src\/(modules|core|runtime)\//, 'test/'],
];

/** Tests beside those of the same folder: what they check is derived from these files. */
const besides: readonly (readonly [src: RegExp, test: string])[] = [
  [/\/(contract|fields|shapes)\.ts$|\/fields\//, 'test/interface/'],
];

const isTest = (file: string): boolean =>
  /^test\/.+\.test\.ts$/.test(file) && !/^test\/(faults|workers|runtime|browser)\//.test(file);

/** The folder of test for a file of src: that of its own folder, or of the nearest above it. */
const folderFor = (file: string, exists: (path: string) => boolean): string | null => {
  const [src, test] = folders.find(([pattern]) => pattern.test(file)) ?? [/^src\//, 'test/'];
  for (
    let folder = dirname(file.replace(src, test));
    folder !== 'test' && folder !== '.';
    folder = dirname(folder)
  )
    if (exists(folder)) return `${folder}/`;
  return null;
};

/** The tests for changed files: of the source itself always, and the folders of src that have none. */
export const chooseTests = (changed: readonly string[], exists: (path: string) => boolean) => {
  const sources = changed.filter((file) => file.startsWith('src/') && dirname(file) !== 'src');
  const chosen = sources.map((file) => [dirname(file), folderFor(file, exists)] as const);
  const more = sources.flatMap((file) => besides.flatMap(([src, test]) => (src.test(file) ? [test] : [])));
  const tests = [
    'test/repository/',
    ...changed.filter(isTest).filter(exists),
    ...chosen.flatMap(([, folder]) => folder ?? []),
    ...more,
  ];
  return {
    tests: [...new Set(tests)],
    without: [...new Set(chosen.flatMap(([folder, test]) => (test === null ? [folder] : [])))],
  };
};
