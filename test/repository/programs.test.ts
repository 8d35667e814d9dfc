import { expect, it } from 'vitest';
import { programs } from '../../scripts/build-node.ts';
import { texts } from './source.ts';

it('each thread and process that the source starts is built as a program: scripts/build-node.ts lists them', () => {
  const started = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/programBeside\(import\.meta\.url, '([\w-]+)'\)/g)].map(([, name]) => name),
  );
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter((name) => !Object.hasOwn(programs, name ?? ''))).toEqual([]);
});
