import { expect, it } from 'vitest';
import { fullScans } from '../support/plans.ts';
import { createWorld } from '../support/world.ts';

// The check that every statement of the other tests uses an index is tested here itself.

it.each([
  ['select * from bookings where notes = ?', ['x']],
  ['select b.id from bookings b order by b.booking_code', []],
  ['select count(*) from "users" where "users"."name" like ?', ['a%']],
  ['update device_logins set revoked_at = 1 where device_id = ?', ['x']],
  ['delete from webhook_deliveries where last_status = ?', [500]],
  ['select d.id from doctors d where exists (select 1 from booking_events e where e.request_id = d.id)', []],
])('a statement that reads through a whole table is noticed: %s', async (sql, params) => {
  const { db } = await createWorld();
  expect(await fullScans(db, { sql, params })).not.toEqual([]);
});

it('a look-up by an index is not mistaken for one', async () => {
  const { db } = await createWorld();
  const sql = 'select u.name from bookings b join users u on u.id = b.patient_id where b.id = ?';
  expect(await fullScans(db, { sql, params: [''] })).toEqual([]);
});
