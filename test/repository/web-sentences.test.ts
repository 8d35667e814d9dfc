import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));

const all = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(all)];

/** The possible texts of an expression, as far as it contains them. */
const textsOf = (node: unknown): string[] => {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [
        ...(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked),
        ...(node.expressions as Node[]).flatMap(textsOf),
      ];
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '===' || node.operator === '!=='
        ? []
        : [...textsOf(node.left), ...textsOf(node.right)];
    case 'JSXExpressionContainer':
      return textsOf(node.expression);
    default:
      return [];
  }
};

/** Attributes and properties of ours whose text people see or hear. */
const spoken =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|hint|text|verb|caption|submit|word|more|counter|optional|before)$/;

/** Texts in a component itself, instead of a word file. */
const sentencesIn = (source: string): string[] =>
  all(parseAst(source, { lang: 'tsx' }) as unknown as Node)
    .flatMap((node) => {
      if (node.type === 'JSXText') return [node.value as string];
      if (node.type === 'JSXElement' || node.type === 'JSXFragment')
        return (node.children as Node[])
          .filter(({ type }) => type === 'JSXExpressionContainer')
          .flatMap(textsOf);
      if (node.type !== 'JSXAttribute') return [];
      return spoken.test((node.name as { name: string }).name) ? textsOf(node.value) : [];
    })
    .map((text) => text.trim())
    .filter((text) => /\p{L}{2}/u.test(text));

/** A language is named as its speakers name it, whatever the page's language. */
const languages = new Set(['Bahasa Indonesia', 'English']);

const components = globSync('web/**/*.tsx');

describe('the components', () => {
  it('say nothing in words of their own', () => {
    const found = components.flatMap((file) =>
      sentencesIn(readFileSync(file, 'utf8'))
        .filter((text) => !languages.has(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
    expect(components.length).toBeGreaterThan(100);
  });

  it('would be found out, wherever they said it', () => {
    const said = (source: string) => sentencesIn(`const A = () => ${source};`);
    expect(said('<p>Selamat pagi</p>')).toEqual(['Selamat pagi']);
    expect(said('<p>{isLate ? "terlambat" : text.soon}</p>')).toEqual(['terlambat']);
    expect(said('<p>{count > 1 && ` · $' + '{count} kali`}</p>')).toEqual(['kali']);
    expect(said('<a aria-label="Tutup">×</a>')).toEqual(['Tutup']);
    expect(said('<Field label={`Nama $' + '{who}`} />')).toEqual(['Nama']);
    expect(
      said('<p class="line" role={is ? "alert" : "status"}>{kind === "late" && text.late} · {n}</p>'),
    ).toEqual([]);
  });
});
