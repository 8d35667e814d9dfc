import { expect, inject, it } from 'vitest';
import { apiMailer } from '../../src/core/mailer.ts';
import { maxAnswerBytes } from '../../src/core/read-start.ts';
import { askByFetch } from '../../src/modules/exchange/outbox/ask.ts';

/** A box of its own at the provider, which is any other system here. */
const newBox = () => `${inject('mailProvider')}/${crypto.randomUUID()}`;
const asked = async (box: string): Promise<{ path: string }[]> => (await fetch(box)).json();
const ask = (url: string) =>
  askByFetch(
    { method: 'POST', url, headers: { Authorization: 'Bearer kunci' }, body: '{}' },
    AbortSignal.timeout(60_000),
  );

it('an answer that is too long is cut, however long it is', async () => {
  const box = newBox();
  expect(await ask(`${box}/long`)).toEqual({ status: 200, body: 'x'.repeat(maxAnswerBytes) });
  const mail = { id: 'm', to: 'pasien@klinik.example', subject: 's', text: 't' };
  await apiMailer(`${box}/long`, 'kunci', 'klinik@klinik.example').send(mail);
});

it('a redirect is an answer: what was sent goes nowhere else', async () => {
  const box = newBox();
  expect(await ask(`${box}/redirect`)).toMatchObject({ status: 307 });
  expect((await asked(box)).map(({ path }) => path)).toEqual([`${box.slice(box.lastIndexOf('/'))}/redirect`]);
});
