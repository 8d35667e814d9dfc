import { extname } from 'node:path';

/** A program for a thread or a process beside the module at `url`: a source beside a source, a built one beside a built one. */
export const programBeside = (url: string, name: string): URL => new URL(`.//${name}${extname(url)}`, url);
