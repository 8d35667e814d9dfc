import type { Clinic } from './clinic-people.ts';
import type { World } from './world.ts';

export const allergy = {
  id: 'alergi',
  type: 'text',
  label: 'Apakah Anda alergi terhadap obat?',
  required: true,
} as const;

/** Lets a session of the clinic ask these questions before the visit. */
export const ask = (
  world: World,
  clinic: Pick<Clinic, 'practice' | 'admin'>,
  questions: readonly object[] = [allergy],
  sessionId = clinic.practice.sessionId,
) =>
  world.request(`/v1/admin/sessions/${sessionId}`, {
    method: 'PATCH',
    token: clinic.admin.token,
    body: { questions },
  });
