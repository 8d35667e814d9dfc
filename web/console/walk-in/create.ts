import { typedPhone } from '../../../src/core/search/phone-rules.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import type { Chosen } from './chosen.ts';
import type { Fresh } from './Patient.tsx';

/** Adds the new patient; `confirm` says that it is a different person than the similar ones. */
export const createPatient = async (fresh: Fresh, confirm: boolean, key: string): Promise<Chosen> => {
  const { code, number } = typedPhone(fresh.phone);
  const { data } = await take(
    api.v1.patients.$post({
      json: {
        name: fresh.name.trim(),
        ...(number !== '' && { phone_number: number, phone_country_code: code }),
        ...(fresh.birth !== '' && { birth_date: fresh.birth }),
        ...(confirm && { confirm }),
      },
      header: { 'Idempotency-Key': key },
    }),
  );
  return data;
};
