import { eq } from 'drizzle-orm';
import { users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { book, createClinic } from './clinic-people.ts';
import { createPhones, enter, person } from './phone-codes.ts';
import { registerPatient } from './world.ts';

const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };

/** Somebody with two accounts: one by a proved e-mail, one by a phone. */
export const createTwice = async (settings: Record<string, string> = {}) => {
  const phones = await createPhones({ ...mails, ...settings });
  const { world, sent } = phones;
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff } = clinic;
  const byMail = await registerPatient(world, { name: 'Putri Ayu Lestari', phone_number: '81399990000' });
  const settle = () => Promise.all(world.background.splice(0));
  await settle();
  const at = (id: string, fields: Partial<typeof users.$inferInsert>) =>
    world.db.update(users).set(fields).where(eq(users.id, id));
  const born = (id: string, birthDate: string | null) =>
    world.db.update(patients).set({ birthDate }).where(eq(patients.id, id));
  await at(byMail.id, { emailProvedAt: world.clock.now });
  await born(byMail.id, person.birth_date);
  const byPhone = await enter(phones);
  world.mails.splice(0);
  sent.splice(0);
  const join = async (source: string, into: string, more: object = {}, headers = {}, who = staff) => {
    const body = { into, join_accounts: true, ...more };
    const answer = await world.request(`/v1/patients/${source}/merge`, { token: who.token, body, headers });
    await settle();
    return answer;
  };
  const bookAs = (token: string, fields: object = {}) => book(world, clinic, { ...fields }, token);
  const accountOf = async (id: string) => (await world.db.select().from(users).where(eq(users.id, id)))[0];
  return { phones, world, sent, clinic, byMail, byPhone, join, bookAs, accountOf, at, born, settle };
};
