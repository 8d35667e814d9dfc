import { describe, expect, it } from 'vitest';
import { literal } from '../../../src/runtime/node/d1/sql-text.ts';
import { executeOnD1, explainFailure } from '../../../src/runtime/node/d1/wrangler.ts';
import { makeD1, newFolder } from '../../support/node/command-line.ts';
import { insertText } from '../../support/node/insert-text.ts';

const secret = "$argon2id$v=19$m=19456$rahasia O'Brien";

const admin = (id: string) =>
  insertText('users', {
    id,
    name: secret,
    email: 'kepala@klinik.example',
    phone_number: '',
    phone_country_code: '',
    device_id: '',
    role: 'admin',
    password_hash: secret,
    created_at: 1,
    updated_at: 1,
  });

it('reports the reason of wrangler’s refusal, without the statements', async () => {
  const folder = newFolder();
  await makeD1(folder);
  const place = { remote: false, persistTo: `${folder}/.wrangler/state` };
  const refusalOf = async (...statements: string[]) => {
    const error = await executeOnD1(place, statements).catch((thrown: unknown) => thrown);
    return (error as Error).message;
  };
  expect(await refusalOf(admin('a'), admin('b'))).toBe('D1 refused: UNIQUE constraint failed: users.email');
  // The quote that was not doubled makes SQLite quote what follows it.
  expect(await refusalOf(`insert into users (name) values ('${secret}');`)).toBe('D1 refused: SQLITE_ERROR');
});

describe('what wrangler prints', () => {
  it.each([
    ['✘ [ERROR] near "rahasia": syntax error at offset 12: SQLITE_ERROR [code: 7500]', 'SQLITE_ERROR'],
    ['✘ [ERROR] unrecognized token: "\'rahasia; insert into"', 'an error of SQL'],
    ['✘ [ERROR] no such column: rahasia: SQLITE_ERROR', 'SQLITE_ERROR'],
    ['✘ [ERROR] no such table: users: SQLITE_ERROR', 'no such table: users'],
    [
      '{"error":{"text":"A request to the Cloudflare API failed.","notes":[{"text":"UNIQUE constraint failed: bookings.doctor_id, bookings.seat: SQLITE_CONSTRAINT (rahasia)"}]}}',
      'UNIQUE constraint failed: bookings.doctor_id, bookings.seat',
    ],
    ['✘ [ERROR] FOREIGN KEY constraint failed: SQLITE_CONSTRAINT', 'FOREIGN KEY constraint failed'],
    ['✘ [ERROR] CHECK constraint failed: seats: SQLITE_CONSTRAINT', 'CHECK constraint failed: seats'],
    ['\u001b[31m✘ [\u001b[41mERROR\u001b[31m]\u001b[0m \u001b[1mNot logged in.\u001b[0m', 'Not logged in.'],
    ["✘ [ERROR] Couldn't find a D1 DB named 'DB'\n  rahasia", "Couldn't find a D1 DB named 'DB'"],
    ['rahasia', 'no reason was given'],
  ])('%s → %s', (printed, failure) => {
    expect(explainFailure(printed)).toBe(failure);
  });
});

it('writes text, numbers and nothing as SQL, and refuses the rest', () => {
  expect(["O'B", 1.5, 7n, null, undefined].map(literal)).toEqual(["'O''B'", '1.5', '7', 'null', 'null']);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, new Uint8Array(1), {}])
    expect(() => literal(value)).toThrow(TypeError);
});
