import { minifySync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../../scripts/build-worker.ts';
import { withoutWords } from '../../../scripts/leave-words-out.ts';
import { contracts } from '../../../src/interface/contracts.ts';
import { glossary } from '../../../src/reference/glossary.ts';

describe('the words of the reference in a Worker', () => {
  it('are left out of contracts, which keep all else, line by line', () => {
    const source = `
export const GetRoom = endpoint({
  method: 'get',
  path: '/rooms/{id}',
  summary: 'A room',
  description:
    'Where it is.',
  params: idParam,
  query: () => z.object({ floor: described(z.optional(wholeNumber()), 'Which floor.', { example: 2 }) }),
  returns: {
    200: {
      description: \`The room of \${clinic}.\`,
      data: () => described(
        z.object({ name: described(z.string(), 'Its name.') }), 'The room.',
      ),
      message: 'found',
    },
  },
  fails: [],
});
`;
    const left = withoutWords(source);
    expect(left.split('\n')).toHaveLength(source.split('\n').length);
    expect(left.replaceAll(/\s+/g, ' ')).toBe(
      ` export const GetRoom = endpoint({ method: 'get', path: '/rooms/{id}', params: idParam, query: () => z.object({ floor: (z.optional(wholeNumber())) }), returns: { 200: { data: () => ( z.object({ name: (z.string()) })) , message: 'found', }, }, fails: [], }); `,
    );
  });

  it('leave everything else as it is', () => {
    const source = `const described = (a, b) => a; room.described('x', 'y'); label({ summary: 'a', description: 'b' });`;
    expect(withoutWords(source)).toBe(source);
  });

  it('are not in the Worker that is built, though its endpoints are', async () => {
    const { output } = await buildWorker();
    const { code } = minifySync('worker.js', output[0].code);
    const sentences = Object.values(contracts).flatMap(({ summary, description = '', returns }) => [
      summary,
      description,
      ...Object.values(returns).map((returned) => returned.description),
    ]);
    const words = [...sentences, ...Object.values(glossary).map(({ description }) => description)];
    const left = words.filter((each) => each.length > 20 && code.includes(each));
    // Those of the verbs of a visit are arguments of a function that makes their contracts.
    expect(left.join('').length).toBeLessThan(words.join('').length / 20);
    for (const path of ['/v1/bookings/history', '/v1/auth/login']) expect(code.includes(path)).toBe(true);
  });
});
