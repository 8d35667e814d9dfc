import assert from 'node:assert/strict';
import { named, simulateDevice } from '../support/device.ts';
import { openPage, type Scenario, type Stage } from '../support/stage.ts';

/** Runs in the page, as a front end would: nothing but the browser's own JSON of WebAuthn. */
const inPage = `(async () => {
  const send = async (path, body, token) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: 'Bearer ' + token }) };
    const answer = await fetch('/v1/auth/' + path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
    return { ...(await answer.json()), status: answer.status };
  };
  const create = async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  };
  const get = async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };
  const account = { email: 'peramban' + Date.now() + '@klinik.example', password: 'kopi-susu-pagi-7' };
  const person = { name: 'Putri Peramban', phone_number: '81234567890', phone_country_code: '62' };
  const made = await send('register', { ...account, ...person, password_confirmation: account.password });
  const token = made.data.access_token;
  const begun = await send('second-factors/passkeys/options', {}, token);
  const credential = await create(begun.data.public_key);
  const added = await send('second-factors/passkeys', { challenge: begun.data.challenge, credential }, token);
  const again = await send('second-factors/passkeys/options', {}, token);
  const excluded = await create(again.data.public_key).catch((error) => error.name);
  const asked = await send('login', account);
  const answer = { challenge: asked.challenge, assertion: await get(asked.passkey) };
  const opened = await send('login/second-factor', answer);
  const repeated = await send('login/second-factor', answer);
  const confirm = await send('reauthenticate/options', {}, opened.data?.access_token);
  const assertion = await get(confirm.data.passkey);
  const given = { challenge: confirm.data.challenge, assertion };
  const confirmed = await send('reauthenticate', given, opened.data?.access_token);
  return {
    added: [added.status, added.data?.recovery_codes.length],
    excluded,
    asked: [asked.status, asked.code, asked.passkey?.rpId],
    opened: opened.status,
    repeated: repeated.status,
    confirmed: confirmed.status,
  };
})()`;

const logInByPasskey = async (stage: Stage): Promise<void> => {
  const { page, close } = await openPage(stage);
  await simulateDevice(page);
  await page.goto(`${named(stage.url)}/docs`);
  assert.deepEqual(await page.evaluate(inPage), {
    added: [201, 10],
    excluded: 'InvalidStateError',
    asked: [401, 'second_factor_required', 'localhost'],
    opened: 200,
    repeated: 401,
    confirmed: 200,
  });
  await close();
};

/** The service can read the data that browsers write. */
export const passkey: Scenario = {
  name: 'a passkey is added, opens a login, and confirms who is there',
  play: logInByPasskey,
};
