import { createPasskey, type SoftPasskey, type Twist } from './authenticator.ts';
import { password, registerPatient, type World } from './world.ts';

const path = '/v1/auth/second-factors/passkeys';

/** The request of a page before it makes a passkey. */
export const beginPasskey = (world: World, token: string) =>
  world.request(`${path}/options`, { method: 'POST', token });

/** Adds a passkey to the account of the token's owner. */
export const addPasskey = async (world: World, token: string, passkey: SoftPasskey, twist?: Twist) => {
  const { challenge, public_key } = (await beginPasskey(world, token)).body.data;
  const credential = await passkey.create(public_key, twist);
  return world.request(path, { token, body: { challenge, credential, name: 'Ponsel klinik' } });
};

/** A patient whose login takes a passkey. */
export const createPasskeyHolder = async (world: World, passkey?: SoftPasskey) => {
  const person = await registerPatient(world);
  const own = passkey ?? (await createPasskey());
  const added = await addPasskey(world, person.token, own);
  if (added.status !== 201) throw new Error(`Not added: ${JSON.stringify(added.body)}`);
  world.clock.now += 1_000;
  const logIn = (given = password) =>
    world.request('/v1/auth/login', { body: { email: person.email, password: given } });
  /** The second step of a new login, as the browser makes it. */
  const answer = async (twist?: Twist, by: SoftPasskey = own) => {
    const { challenge, passkey: options } = (await logIn()).body;
    return { challenge, assertion: await by.get(options ?? { challenge: '' }, twist) };
  };
  const step = (body: object) => world.request('/v1/auth/login/second-factor', { body });
  return { ...person, passkey: own, ...added.body.data, logIn, answer, step };
};
