import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    mailProvider: string;
  }
}

interface MailRequest {
  path: string;
  method: string | undefined;
  authorization: string | undefined;
  idempotencyKey: string | string[] | undefined;
  contentType: string | undefined;
  body: string;
}

/**
 * A mail provider's HTTP API for the tests of both runtimes: /BOX/202 answers 202, /BOX/hang never, /BOX/429-90
 * asks to wait 90 s, /BOX/redirect leads to /BOX/202, /BOX/long sends 8 MiB, and GET /BOX gives what came to that box.
 */
export default async ({ provide }: TestProject) => {
  const asked: MailRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const [, box = '', what = ''] = path.split('/');
    if (request.method === 'GET' && what === '') {
      const received = asked.filter((one) => one.path.startsWith(`/${box}/`));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(received));
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const {
        authorization,
        'idempotency-key': idempotencyKey,
        'content-type': contentType,
      } = request.headers;
      asked.push({ path, method: request.method, authorization, idempotencyKey, contentType, body });
      if (what === 'redirect') response.writeHead(307, { Location: `/${box}/202` }).end();
      else if (what === 'long') response.end('x'.repeat(8 * 1_048_576));
      // A provider's error quotes what it was sent.
      else if (what !== 'hang') {
        const [status, pause] = what.split('-');
        const headers = pause === undefined ? {} : { 'Retry-After': pause };
        response.writeHead(Number(status), headers).end(JSON.stringify({ message: body }));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  provide('mailProvider', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => {
    server.closeAllConnections();
    server.close();
  };
};
