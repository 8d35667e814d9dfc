import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/tables/bookings.ts';
import { patients } from '../../src/tables/patients.ts';
import { act, book, createClinic, detail } from '../support/clinic-people.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const deleteAccount = (world: World, token: string) =>
  world.request('/v1/auth/account', { method: 'DELETE', token });

describe('whoever deletes the own account', () => {
  it('ends every token at once, and a login is answered as an unknown one is', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const answer = await deleteAccount(world, person.token);
    expect(answer.status).toBe(200);
    expect(answer.body.message).toBe('Akun dan data diri Anda telah dihapus.');
    const after = await world.request('/v1/auth/profile', { token: person.token });
    expect(after.status).toBe(401);
    const body = { refresh_token: person.refreshToken };
    expect((await world.request('/v1/auth/refresh', { body })).status).toBe(401);
    const logIn = (email: string) => world.request('/v1/auth/login', { body: { email, password } });
    const [gone, unknown] = [await logIn(person.email), await logIn('siapa@klinik.example')];
    const { request_id: _, ...told } = gone.body;
    expect([gone.status, told]).toEqual([
      unknown.status,
      (({ request_id: __, ...rest }) => rest)(unknown.body),
    ]);
  });
});
