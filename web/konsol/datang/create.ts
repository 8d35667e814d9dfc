import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import type { Chosen, Fresh } from './Patient.tsx';

/** Adds the new patient; `confirm` says that it is not one of those who look alike. */
export const createPatient = async (fresh: Fresh, confirm: boolean, key: string): Promise<Chosen> => {
  const phone = fresh.phone.replace(/\D/g, '').replace(/^(62|0)/, '');
  const { data } = await take(
    api.v1.patients.$post({
      json: {
        name: fresh.name.trim(),
        ...(phone !== '' && { phone_number: phone, phone_country_code: '62' }),
        ...(fresh.birth !== '' && { birth_date: fresh.birth }),
        ...(confirm && { confirm }),
      },
      header: { 'Idempotency-Key': key },
    }),
  );
  return data;
};
