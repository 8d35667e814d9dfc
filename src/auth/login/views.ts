import type { OutputOf } from '../../endpoint/lazy-shape.ts';
import type { NewUser } from '../queries.ts';
import type * as contract from './contract.ts';

type UserRow = Pick<NewUser, 'name' | 'phoneNumber' | 'phoneCountryCode' | 'email' | 'deviceId'>;

/** The six fields of a user that the interface shows. */
export const publicUser = (id: string, user: UserRow): OutputOf<typeof contract.User> => ({
  id,
  name: user.name,
  phone_number: user.phoneNumber,
  phone_country_code: user.phoneCountryCode,
  email: user.email,
  device_id: user.deviceId,
});
