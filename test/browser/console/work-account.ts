import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createIssuer, oidcSettings } from '../../support/peers/oidc.ts';
import { refuse } from '../support/answers.ts';
import { assertAccessible, assertClean, assertReflowsWhenLarge, failedWith } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { startOwn } from '../support/own-service.ts';
import { demo } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { press, type } from './keyboard.ts';

/** A provider on this machine, on whose page a person logs in at once. */
const startProvider = async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const own = {
    ...oidcSettings,
    OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OIDC_ROLE_CLAIM: 'roles',
    OIDC_DOMAINS: 'klinik.example',
    OIDC_PASSWORDS_OFF: 'doctor,admin',
    OIDC_BREAK_GLASS: demo.admin as string,
  };
  const person = {
    sub: 'rina',
    email: demo.staff as string,
    email_verified: true,
    name: 'Rina',
    roles: 'staff',
  };
  return { server, own, person };
};

type Issuer = Awaited<ReturnType<typeof createIssuer>>;

/** An admin without a password does what needs a recent login, and the work account confirms who is there. */
const confirmByWorkAccount = async (
  stage: Stage,
  issuer: Issuer,
  person: Record<string, unknown>,
  provider: string,
): Promise<void> => {
  Object.assign(person, { sub: 'dewi', email: 'dewi@klinik.example', roles: 'admin' });
  const watched = await openPage(stage, { viewport: desk });
  const { page } = watched;
  await page.goto(`${stage.url}/konsol/kunci`);
  await press(page, 'Masuk dengan akun kantor');
  await page.getByRole('navigation').waitFor();
  await page.goto(`${stage.url}/konsol/kunci`);
  // A login of more than ten minutes ago, as the service answers it.
  let isOld = true;
  await page.route('**/v1/admin/api-keys', async (route) => {
    if (route.request().method() !== 'POST' || !isOld) return route.continue();
    isOld = false;
    const fields = { code: 'reauthentication_required', message: 'Silakan konfirmasi.', request_id: 'r-1' };
    const body = JSON.stringify({ status: 'error', ...fields });
    await route.fulfill({ status: 403, contentType: 'application/json', body });
  });
  await press(page, 'Buat kunci');
  await page.getByLabel('Membaca janji').focus();
  await page.keyboard.press('Space');
  await type(page, 'Nama', 'Kasir akun kantor');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Pastikan ini Anda' });
  const name = 'Konfirmasi dengan akun kantor';
  await dialog.getByRole('button', { name }).waitFor();
  assert.equal(await dialog.getByLabel('Kata sandi', { exact: true }).count(), 0);
  await assertAccessibleInAllLooks(page, 'the question who is there, by the work account');
  await shoot(stage, page, 'konsol-pastikan-akun-kantor');

  // Somebody else logs in at the provider.
  const confirm = async (): Promise<void> => {
    const opened = page.waitForEvent('popup');
    await press(page, name);
    const other = await opened;
    if (!other.isClosed()) await other.waitForEvent('close');
  };
  Object.assign(person, { sub: 'orang-lain' });
  await confirm();
  await dialog.getByText('Konfirmasi dengan akun kantor tidak berhasil.').waitFor();
  await assertAccessible(page, 'a confirmation that is refused');
  await shoot(stage, page, 'konsol-pastikan-akun-kantor-ditolak');
  issuer.isDown = true;
  await confirm();
  await dialog.getByText('Penyedia akun kantor tidak menjawab.').waitFor();
  issuer.isDown = false;
  Object.assign(person, { sub: 'dewi' });
  await confirm();
  // What was begun goes on: the key is shown.
  await page.locator('code').waitFor();
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(issuer.wrongs, []);
  watched.origins.delete(provider);
  await assertClean(watched, stage.url, [failedWith(403, 503)]);
  await watched.close();
};

/** In English, with the password beside the work account, a browser that blocks windows, and an account that is not linked. */
const confirmInEnglish = async (
  stage: Stage,
  person: Record<string, unknown>,
  provider: string,
): Promise<void> => {
  Object.assign(person, { sub: 'rina', email: demo.staff, roles: 'staff' });
  const watched = await openPage(stage, { viewport: phone, locale: 'en-GB' });
  const { page } = watched;
  await page.addInitScript("localStorage.setItem('bahasa', 'en')");
  await page.goto(`${stage.url}/konsol/`);
  await page.getByRole('button', { name: 'Log in with your work account' }).waitFor();
  await assertAccessible(page, 'login by the work account, in English');
  await shoot(stage, page, 'konsol-akun-kantor-en');
  await press(page, 'Log in with your work account');
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${stage.url}/konsol/akun`);
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const ask = async (): Promise<() => Promise<void>> => {
    const mend = await refuse(page, '**/v1/auth/second-factors/totp', 403, 'reauthentication_required', {
      method: 'POST',
    });
    await press(page, 'Use an authenticator app');
    await dialog.waitFor();
    return mend;
  };
  const looks = async (name: string): Promise<void> => {
    await assertAccessibleInAllLooks(page, name);
    for (const viewport of [desk, phone]) {
      await page.setViewportSize(viewport);
      await shoot(stage, page, `konsol-${name.replaceAll(' ', '-')}-${viewport.width}`);
    }
    await assertReflowsWhenLarge(page, name);
  };
  const mend = await ask();
  const work = 'Confirm with your work account';
  await dialog.getByLabel('Password', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: work }).waitFor();
  await looks('confirming with a password beside');
  await page.evaluate('window.opens = window.open; window.open = () => null;');
  await press(page, work);
  await dialog.getByText('The browser blocked a new window.').waitFor();
  await looks('confirming with a blocked window');
  // The password still does, and Enter in its field sends it.
  await dialog.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('salah-sekali-9');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await looks('confirming with a wrong password');
  await page.evaluate('window.open = window.opens;');
  await mend();
  const opened = page.waitForEvent('popup');
  await press(page, work);
  const other = await opened;
  if (!other.isClosed()) await other.waitForEvent('close');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();

  // Passwords of the role were turned off after the login, and nobody ever logged in to it at the provider.
  await page.route('**/v1/auth/profile', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const json = { ...rest, data: { ...data, has_password: false, confirms_by_sso: false } };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await ask();
  await dialog.getByText('is not linked to a work account yet').waitFor();
  assert.equal(await dialog.getByLabel('Password', { exact: true }).count(), 0);
  await looks('confirming without a way');
  await press(page, 'Log out and in again');
  await page.getByRole('button', { name: 'Log in with your work account' }).waitFor();
  watched.origins.delete(provider);
  await assertClean(watched, stage.url, [failedWith(403, 422)]);
  await watched.close();
};

export const workAccounts: readonly Scenario[] = [
  {
    name: 'the clinic’s people log in and confirm by the work account, and are told when that fails or the provider is lost, by keyboard alone',
    startsOwn: true,
    play: async (outer) => {
      const { server, own, person } = await startProvider();
      let given = own;
      const clinic = await startOwn(outer, (port) => {
        given = { ...own, PUBLIC_URL: `http://127.0.0.1:${port}` };
        return given;
      });
      const issuer = await createIssuer(Date.now, given);
      server.on('request', async (incoming, outgoing) => {
        const address = `${own.OIDC_ISSUER}${incoming.url}`;
        if (incoming.url?.startsWith('/authorize')) {
          const Location = `${given.PUBLIC_URL}/konsol/sso?${issuer.authorize(address, person)}`;
          return outgoing.writeHead(302, { Location }).end();
        }
        const request = {
          ...{ url: address, method: incoming.method as 'GET', body: await text(incoming) },
          headers: incoming.headers as Record<string, string>,
        };
        const answer = await issuer.ask(request, AbortSignal.timeout(10_000));
        if ('failure' in answer) return outgoing.destroy();
        outgoing.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
      });
      const stage = { ...outer, url: clinic.url };
      try {
        const watched = await openPage(stage, { viewport: desk });
        const { page } = watched;
        await page.goto(`${stage.url}/konsol/`);
        const name = 'Masuk dengan akun kantor';
        const button = page.getByRole('button', { name });
        await button.waitFor();
        await assertAccessibleInAllLooks(page, 'login by the work account');
        await assertReflowsWhenLarge(page, 'login by the work account');
        await shoot(stage, page, 'konsol-akun-kantor');
        await page.setViewportSize(phone);
        await page.emulateMedia({ colorScheme: 'dark' });
        await shoot(stage, page, 'konsol-akun-kantor-360-gelap');
        await page.emulateMedia({ colorScheme: null });
        await page.setViewportSize(desk);

        person.email = 'siapa@lain.example';
        await press(page, name);
        await page.getByText('Akun kantor ini tidak terdaftar di klinik.').waitFor();
        assert.equal(
          new URL(page.url()).pathname + new URL(page.url()).search,
          '/konsol/',
          'the code is in no address',
        );
        await assertAccessible(page, 'a work account that is refused');
        await shoot(stage, page, 'konsol-akun-kantor-ditolak');

        issuer.isDown = true;
        await press(page, name);
        await page.getByText('Penyedia akun kantor tidak menjawab.').waitFor();

        // Passwords of these roles are turned off, but for the admin who gets in while the provider is lost.
        const glass = await openPage(stage, { viewport: desk });
        await glass.page.goto(`${stage.url}/konsol/`);
        const byPassword = async (email: string) => {
          await glass.page.getByRole('textbox', { name: 'Email' }).fill(email);
          await glass.page.getByLabel('Kata sandi', { exact: true }).fill(demo.password);
          await glass.page.keyboard.press('Enter');
        };
        await byPassword(demo.doctor);
        await glass.page.getByText('Klinik meminta Anda masuk dengan akun kantor').waitFor();
        await assertAccessibleInAllLooks(glass.page, 'passwords that are turned off');
        await glass.page.setViewportSize(desk);
        await shoot(stage, glass.page, 'konsol-kata-sandi-dimatikan');
        await byPassword(demo.admin);
        await glass.page.getByRole('navigation').waitFor();
        await assertClean(glass, stage.url, [failedWith(403)]);
        await glass.close();
        issuer.isDown = false;

        person.email = demo.staff;
        await press(page, name);
        await page.getByRole('navigation').waitFor();
        assert.equal(new URL(page.url()).pathname, '/konsol/');
        await page.reload();
        await page.getByRole('navigation').waitFor();
        assert.deepEqual(issuer.wrongs, []);
        assert.ok(watched.origins.delete(own.OIDC_ISSUER), 'the provider was asked by the browser');
        await assertClean(watched, stage.url, [failedWith(403, 503)]);
        await watched.close();

        await confirmByWorkAccount(stage, issuer, person, own.OIDC_ISSUER);

        await confirmInEnglish(stage, person, own.OIDC_ISSUER);
      } finally {
        await clinic.stop();
        server.close();
        server.closeAllConnections();
      }
    },
  },
];
