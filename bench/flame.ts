export interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

interface Frame {
  name: string;
  micros: number;
  inner: Map<string, Frame>;
}

/** The position of a function, as short as possible. */
export const placeOf = ({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string => {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'} ${file && `${file}:${lineNumber + 1}`}`.trim();
};

/** To whom a function belongs: a package, a file below src, a module of Node, or the engine. */
export const ownerOf = ({ functionName, url }: Profile['nodes'][number]['callFrame']): string => {
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  const [, ours] = /\/(src\/.+)$/.exec(url) ?? [];
  return inPackage ?? ours ?? (url || functionName);
};

const newFrame = (name: string): Frame => ({ name, micros: 0, inner: new Map() });

/** The samples from an instant on, idle ones left out, as one tree of calls. */
const callTree = ({ nodes, samples, timeDeltas }: Profile, fromMicros: number): Frame => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stackOf = (id: number): string[] => {
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const node = byId.get(at);
      if (node !== undefined) stack.unshift(placeOf(node.callFrame));
    }
    return stack.slice(1);
  };
  const root = newFrame('all');
  let clock = 0;
  samples.forEach((id, at) => {
    const micros = timeDeltas[at] ?? 0;
    clock += micros;
    const stack = stackOf(id);
    if (clock < fromMicros || stack[0] === '(idle)') return;
    let frame = root;
    frame.micros += micros;
    for (const name of stack) {
      const inner = frame.inner.get(name) ?? newFrame(name);
      frame.inner.set(name, inner);
      inner.micros += micros;
      frame = inner;
    }
  });
  return root;
};

const width = 1_200;
const rowHeight = 16;
const smallestShare = 0.004;
const charWidth = 6.2;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const colourOf = (name: string): string => {
  if (name.includes('libsql')) return '#f2b8a0';
  if (name.includes('node:') || name.startsWith('write')) return '#c9d8f0';
  if (/^\(/.test(name)) return '#dddddd';
  return /node-server|hono|dist\//.test(name) ? '#f5e0a3' : '#bfe3c0';
};

/** A flame graph as SVG: each call over its caller, as wide as its share of the busy time. */
export const flameGraph = (profile: Profile, fromMicros: number, title: string): string => {
  const root = callTree(profile, fromMicros);
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const share = frame.micros / root.micros;
    if (share < smallestShare) return;
    deepest = Math.max(deepest, depth);
    const w = share * width;
    const room = Math.floor(w / charWidth);
    const label = room > 3 ? frame.name.slice(0, room) : '';
    const tooltip = `${escaped(frame.name)}: ${(share * 100).toFixed(1)} %`;
    const y = (depth + 2) * rowHeight;
    boxes.push(
      `<g><title>${tooltip}</title><rect x="${x.toFixed(1)}" y="${y}" width="${w.toFixed(1)}" height="${rowHeight - 1}" fill="${colourOf(frame.name)}"/>` +
        `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escaped(label)}</text></g>`,
    );
    let at = x;
    for (const inner of [...frame.inner.values()].sort((a, b) => b.micros - a.micros)) {
      draw(inner, at, depth + 1);
      at += (inner.micros / root.micros) * width;
    }
  };
  draw(root, 0, 0);
  const height = (deepest + 4) * rowHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10"><title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/><text x="4" y="14" font-size="12">${escaped(title)}</text>`,
    ...boxes,
    '</svg>\n',
  ].join('\n');
};
