// The files that each page loads, and when, from Vite's manifest of the build.

/** Beside the built files, and not served. */
export const loadsList = 'loads.json';

interface Chunk {
  file: string;
  name?: string;
  /** The source that begins it, where one does. */
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}
export type Manifest = Readonly<Record<string, Chunk>>;

/** The files that a page loads before it shows anything, and what each part adds that is loaded later. */
export interface Loads {
  first: string[];
  parts: Record<string, string[]>;
}

/** A chunk's own files and those that it imports, with all their styles. */
const filesWith = (manifest: Manifest, key: string, seen = new Set<string>()): string[] => {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(key)) return [];
  seen.add(key);
  const further = (chunk.imports ?? []).flatMap((one) => filesWith(manifest, one, seen));
  return [chunk.file, ...(chunk.css ?? []), ...further];
};

const unique = (files: readonly string[]): string[] => [...new Set(files)].map((file) => `/${file}`);

/** Every part is counted with all that comes with it, however many chunks the build has made of that. */
export const loadsOf = (manifest: Manifest): Loads => {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const first = unique(entries.flatMap((key) => filesWith(manifest, key)));
  const later = new Set(Object.values(manifest).flatMap(({ dynamicImports }) => dynamicImports ?? []));
  const parts = [...later].sort().map((key) => {
    const added = unique(filesWith(manifest, key)).filter((file) => !first.includes(file));
    return [manifest[key]?.src ?? manifest[key]?.name ?? key, added] as const;
  });
  return { first, parts: Object.fromEntries(parts) };
};
