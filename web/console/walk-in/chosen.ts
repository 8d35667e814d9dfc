import type { Schemas } from '../data/bookings.ts';

export type Chosen = Pick<
  Schemas['Patient'],
  'id' | 'name' | 'phone_country_code' | 'phone_number' | 'birth_date' | 'medical_record_number'
>;
