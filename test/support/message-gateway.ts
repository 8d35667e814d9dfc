import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    messageGateway: string;
  }
}

interface GatewayMessage {
  id: string;
  to: string;
  template: string;
  language: string;
  parameters: string[];
}

/** The messages of one recipient: every attempt, and the deliveries to phones. */
export interface Box {
  attempts: { id: string; status: number }[];
  delivered: GatewayMessage[];
}

const parameters: Readonly<Record<string, number>> = {
  janji_delayed: 7,
  janji_waitlist_offer: 7,
  janji_waitlist_offer_links: 9,
  janji_patient_moved: 7,
  janji_reminder_early_links: 8,
  janji_reminder_late_links: 8,
  janji_reminder_early_waiting_links: 8,
  janji_reminder_late_waiting_links: 8,
};
const templates =
  /^janji_(approved|rejected|expired|(canceled|moved)(_(you|family|system))?|delayed|reminder_(early|late)(_waiting)?(_links)?|waitlist_offer(_links)?|patient_(canceled|moved|answered))$/;

/** The code that WhatsApp's Cloud API gives to what it refuses; null for what it takes. */
const refusalOf = (
  authorization: string | undefined,
  body: string,
): [status: number, code: number] | null => {
  if (authorization !== 'Bearer kunci-gateway') return [401, 190];
  const { messaging_product, type, to, template } = JSON.parse(body);
  if (messaging_product !== 'whatsapp' || type !== 'template' || !/^\+[1-9]\d{6,14}$/.test(to))
    return [400, 100];
  if (!templates.test(template.name) || !['id', 'en'].includes(template.language.code)) return [404, 132_001];
  const given = template.components[0].parameters;
  if (given.length !== (parameters[template.name] ?? 6)) return [400, 132_000];
  return given.every(({ type, text }: { type: string; text: string }) => type === 'text' && text !== '')
    ? null
    : [400, 132_000];
};

/**
 * A gateway for messages, as those for WhatsApp Business are: it checks key, template, language and parameters, and
 * delivers what it is sent twice under one Idempotency-Key once. The path says what becomes of the first attempts of each
 * message: /BOX/429,500,200 asks for a pause of 90 s, fails, and takes it; `slow` takes it a second late, `hang`
 * never answers, `lost` takes it and breaks off. The last word holds from then on. GET /BOX gives what came.
 */
export const startGateway = async () => {
  const boxes = new Map<string, Box>();
  const boxOf = (name: string): Box => {
    const box = boxes.get(name) ?? { attempts: [], delivered: [] };
    boxes.set(name, box);
    return box;
  };
  const server = createServer(async (request, response) => {
    const [, name = '', plan = '200'] = (request.url ?? '').split('/');
    const box = boxOf(name);
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (request.method === 'GET') return answer(200, box);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const refusal = refusalOf(request.headers.authorization, text);
    const id = String(request.headers['idempotency-key']);
    const words = plan.split(',');
    const before = box.attempts.filter((one) => one.id === id).length;
    const word = words[Math.min(before, words.length - 1)] ?? '200';
    const status = refusal?.[0] ?? (/^\d+$/.test(word) ? Number(word) : 200);
    box.attempts.push({ id, status });
    if (refusal !== null) return answer(status, { error: { code: refusal[1], message: text } });
    if (status === 429) return answer(429, { error: { code: 130_429 } }, { 'Retry-After': '90' });
    if (status >= 300) return answer(status, { error: { code: 131_000, message: text } });
    if (word === 'slow') await sleep(1_000);
    if (!box.delivered.some((one) => one.id === id)) {
      const { to, template } = JSON.parse(text);
      box.delivered.push({
        id,
        to,
        template: template.name,
        language: template.language.code,
        parameters: template.components[0].parameters.map((one: { text: string }) => one.text),
      });
    }
    if (word === 'hang') return undefined;
    if (word === 'lost') return request.socket.destroy();
    return answer(200, { messaging_product: 'whatsapp', messages: [{ id: `wamid.${id}` }] });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, boxOf, stop };
};

/** The gateway beside the tests of both runtimes. */
export default async ({ provide }: TestProject) => {
  const { url, stop } = await startGateway();
  provide('messageGateway', url);
  return stop;
};
