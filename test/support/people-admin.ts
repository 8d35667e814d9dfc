import { createAdmin } from './admin.ts';
import { createDoctor } from './clinic.ts';
import { createWorld, password } from './world.ts';

export const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const doctorId = await createDoctor(world);
  const invite = (fields: object = {}) =>
    admin.post('/v1/admin/people', {
      name: 'Rina',
      email: 'rina@klinik.example',
      role: 'staff',
      password,
      ...fields,
    });
  const logIn = (email: string, typed = password) =>
    world.request('/v1/auth/login', { body: { email, password: typed } });
  return { world, admin, doctorId, invite, logIn };
};
