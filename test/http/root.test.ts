import { expect, it } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../../src/interface/reference/document.ts';
import { createWorld } from '../support/world.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const ask = async (accept: string | null, method = 'GET') => {
  const { app } = await createWorld();
  return app.request('/', { method, headers: accept === null ? {} : { Accept: accept } });
};

it('sends a browser from the bare address to the page of the patients', async () => {
  for (const accept of [browser, 'text/html', 'application/json;q=0.5, text/html']) {
    const answer = await ask(accept);
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/pasien/']);
    expect(answer.headers.get('Vary')).toContain('Accept');
  }
});

it('shows a program what is served where, under the version of the package', async () => {
  for (const accept of [null, '*/*', 'application/json', 'text/html;q=0.5, application/json', 'image/png']) {
    const answer = await ask(accept);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      200,
      'application/json; charset=UTF-8',
    ]);
    expect(await answer.json()).toEqual({
      name: 'janji',
      version: about.version,
      docs: '/docs',
      openapi: '/openapi.json',
      health: '/health',
    });
  }
  expect(openApiDocument().info).toMatchObject({
    version: about.version,
    contact: { name: expect.any(String) },
  });
});

it('answers HEAD as it answers GET, and no other method', async () => {
  const head = await ask('*/*', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await ask('*/*', 'POST');
  expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
});
