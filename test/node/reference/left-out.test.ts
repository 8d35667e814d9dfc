import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../../scripts/build-worker.ts';
import { hollow, withoutBodies, withoutMethods } from '../../../scripts/worker/leave-uncalled-out.ts';
import { withoutWords } from '../../../scripts/worker/leave-words-out.ts';
import { pageHeaders, referenceHeaders } from '../../../src/http/pages/page-headers.ts';
import { contracts } from '../../../src/interface/contracts.ts';
import { glossary } from '../../../src/reference/glossary.ts';

const builtWorker = async () => (await buildWorker()).output[0];

describe('what only the reference and the migrations read, in a Worker', () => {
  it('is left out of contracts, which keep all else, line by line', () => {
    const source = `
export const GetRoom = endpoint({
  method: 'get',
  path: '/rooms/{id}',
  tag: 'rooms',
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
  fails: ['not_found'],
});
`;
    const left = withoutWords(source);
    expect(left.split('\n')).toHaveLength(source.split('\n').length);
    expect(left.replaceAll(/\s+/g, ' ')).toBe(
      ` export const GetRoom = endpoint({ method: 'get', path: '/rooms/{id}', params: idParam, query: () => z.object({ floor: (z.optional(wholeNumber())) }), returns: {} , fails: [], }); `,
    );
  });

  it('is left out of what several contracts share', () => {
    const shared = `const common = { access: ['admin'], returns: { 200: { data: Room } }, fails: [] } as const;`;
    expect(withoutWords(shared)).toBe(
      `const common = { access: ['admin'], returns: {}, fails: [] } as const;`,
    );
  });

  it('is left out of tables, which keep their columns and what these have by themselves', () => {
    const table = `const rooms = sqliteTable(
  'rooms',
  { id: uuid('id').primaryKey(), floorId: uuid('floor_id').notNull().references(() => floors.id).default('1') },
  (t) => [index('rooms_floor').on(t.floorId)],
);`;
    const left = withoutWords(table);
    expect(left.split('\n')).toHaveLength(table.split('\n').length);
    expect(left.replaceAll(/\s+/g, ' ')).toBe(
      `const rooms = sqliteTable( 'rooms', { id: uuid('id').primaryKey(), floorId: uuid('floor_id').notNull().default('1') } , );`,
    );
  });

  it('leaves SQL in one line, and what follows it in its own', () => {
    const source = `const live = sql<number>\`exists (select 1
    from rooms r where r.id = \${sql\`coalesce(
      \${id}, '')\`}
      and r.floor > 0)\`.as('live');
const letter = \`Dear
   reader\`;`;
    const left = withoutWords(source);
    expect(left.split('\n')).toHaveLength(source.split('\n').length);
    expect(left.split('\n').slice(-2)).toEqual(source.split('\n').slice(-2));
    expect(left.slice(0, left.indexOf('const letter')).replaceAll('\n', '')).toBe(
      `const live = sql<number>\`exists (select 1 from rooms r where r.id = \${sql\`coalesce( \${id}, '')\`} and r.floor > 0)\`.as('live');`,
    );
    expect(() => withoutWords('sql`select 1 -- one\n, 2`')).toThrow('comment');
  });

  it('leaves everything else as it is', () => {
    const source = `const described = (a, b) => a; room.described('x', 'y'); label({ summary: 'a', tag: 'b', fails: [1] });
answer({ returns }); room.references;`;
    expect(withoutWords(source)).toBe(source);
  });

  it('is not in the Worker that is built, though its endpoints are', async () => {
    const { code } = await builtWorker();
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
    // A field that answers alone have, of a shape that no body takes; and an index.
    expect(code).not.toContain('bookings_doctor_day');
    expect(code.match(/upcoming_actions/g)).toHaveLength(1);
  });
});

describe('what a Worker never calls of its packages', () => {
  const source = `import { far } from './far.js';
class Room { static kind = 'room'; open() { return far(this); } shut = () => far(0); number = 1; }
export { Room };`;

  it('is left out by name, as a method or as a property that each instance gets', () => {
    expect(withoutMethods(source, ['open', 'shut'])).toContain(
      `class Room { static kind = 'room';   number = 1; }`,
    );
  });

  it('has to be there, so that a package that changes is noticed', () => {
    expect(() => withoutMethods(source, ['open', 'close'])).toThrow('close');
  });

  it('may be the body of a function that another one names', () => {
    const near = `function near(a) { return far(a); }\nconst there = async (a) => {\n  await near(a);\n};\nexport { there };`;
    expect(withoutBodies(near, ['near', 'there'])).toBe(
      'function near(a) {}\nconst there = () => {}\n\n;\nexport { there };',
    );
    expect(() => withoutBodies(near, ['near', 'where'])).toThrow('where');
  });

  it('may be a whole module, which keeps its exports and nothing else', () => {
    expect(hollow(`${source}\nexport const a = 1, b = 2;`)).toBe(
      ['Room', 'a', 'b'].map((name) => `export const ${name} = undefined;\n`).join(''),
    );
  });

  it('is not in the Worker that is built', async () => {
    const { modules } = await builtWorker();
    const files = Object.entries(modules).filter(([, { code }]) => (code ?? '') !== '');
    const left = files
      .map(([id]) => id)
      .filter((id) => /drizzle-orm\/relations|sha2\/sha256|utils\/body/.test(id));
    expect(left).toEqual([]);
  });
});

describe('the headers of a Worker', () => {
  it('are those of Node, though no middleware computes them there', async () => {
    const { code, modules } = await builtWorker();
    expect(Object.keys(modules).filter((id) => id.includes('secure-headers'))).toEqual([]);
    for (const headers of [pageHeaders, referenceHeaders])
      for (const value of Object.values(headers)) expect(code).toContain(value);
  });
});
