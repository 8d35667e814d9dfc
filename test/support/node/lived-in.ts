import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClinicFile, fillClinicFile } from '../faults/clinic-file.ts';
import { freePort, type Service, startService } from '../faults/service.ts';
import { change } from './rows.ts';

/** Texts that break hand-written SQL. */
const hostileText = `O'Brien;\nINSERT INTO "users" VALUES('x');\n-- \\n and \\r are no lines, "'" no end; 😀 \r\n\t''`;

const post = async (base: string, path: string, token: string, body: object) => {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

/** A service with its database on which patients book and cancel. */
export const openClinic = async (path: string) => {
  // Filled elsewhere: the driver may hold a closed connection for a while, and this file is the service's alone.
  const folder = mkdtempSync(join(tmpdir(), 'janji-filled-'));
  const filled = join(folder, 'filled.db');
  const clinic = await fillClinicFile(filled, 8);
  for (const end of ['', '-wal']) if (existsSync(filled + end)) cpSync(filled + end, path + end);
  rmSync(folder, { recursive: true });
  const service = await startService(path, await freePort());
  return { clinic, service };
};

/** An answer to a patient: at this version, the booking was in this state. */
export type Acknowledged = [id: string, version: number];

/** Patients who book and cancel without a pause until they are asked to stop; every acknowledged change is recorded. */
export const bookAndCancel = (service: Service, { patients, slots }: ClinicFile) => {
  const acknowledged: Acknowledged[] = [];
  let stopped = false;
  const live = async ({ token }: ClinicFile['patients'][number], at: number): Promise<void> => {
    for (let turn = at; !stopped; turn++) {
      const bookingInput = { ...slots[turn % slots.length], notes: hostileText };
      const made = await post(service.base, '/v1/bookings', token, bookingInput);
      if (made.status !== 201) {
        await sleep(5);
        continue;
      }
      const { id } = made.body.data;
      acknowledged.push([id, 1]);
      const canceled = await post(service.base, `/v1/bookings/${id}/cancel`, token, {});
      if (canceled.status === 200) acknowledged.push([id, 2]);
    }
  };
  const lives = patients.map(live);
  const stop = async () => {
    stopped = true;
    await Promise.all(lives);
  };
  return { acknowledged, stop };
};

/** Each patient's own history, as the service answers it. */
export const histories = ({ base }: Service, { patients }: ClinicFile): Promise<unknown[]> =>
  Promise.all(
    patients.map(async ({ token }) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${base}/v1/bookings/history?limit=100`, { headers })).json();
    }),
  );

/** A row in each table that bookings alone leave empty. */
export const fillTheRest = (path: string): void => {
  const aUser = '(select min(id) from users)';
  const text = `'${hostileText.replaceAll("'", "''")}'`;
  change(
    path,
    `insert into webhook_endpoints (id, url, description, event_types, secret, last_sequence, failures, created_at, updated_at)
       values ('e', 'https://x.example', ${text}, '[]', 'sealed.by.none', 0, 0, 1, 1);
     insert into webhook_deliveries (id, endpoint_id, sequence, booking_id, state, attempts, next_attempt_at, created_at)
       select 'd' || sequence, 'e', sequence, booking_id, 'pending', 0, 1, 1 from booking_events;
     insert into closures (id, name, start_date, end_date, created_at, updated_at) values ('c', '', '2030-01-01', '2030-01-02', 1, 1);
     insert into mail_outbox (id, kind, user_id, language, created_at, expires_at, attempts, due_at) values ('m', 'x', 'u', 'id', 1, 9007199254740991, 0, 1);
     insert into notices (id, booking_id, version, kind, channel, person_id, starts_at, urgent, state, attempts, due_at, created_at)
       values ('n', 'b', 1, 'approved', 'email', 'u', 1, 0, 'sent', 1, 1, 9007199254740991);
     insert into notice_choices values (${aUser}, 0, 1, '[]', 'en', 1, 0);
     insert into password_resets (hash, user_id, created_at, expires_at) select 'h', ${aUser}, 1, 2;
     insert into holds (id, secret_hash, doctor_id, session_id, schedule_date, schedule_time, starts_at, ends_at, created_at, expires_at)
       select 'o', 'h', doctor_id, session_id, '2030-01-01', '09:00:00', 1, 2, 1, 2 from schedules limit 1;
     insert into login_codes (address, hash, created_at, expires_at, failures) values ('a', 'h', 1, 2, 3);
     insert into email_codes (user_id, hash, created_at, expires_at, failures) values (${aUser}, 'h', 1, 2, 3);
     insert into refresh_tokens (hash, device_login_id, generation, issued_at, expires_at) select 'r' || id, id, 1, 1, 2 from device_logins;
     insert into security_events (sequence, write_id, type, occurred_at, detail) values (5, 'a', 't', 1, ${text});
     insert into audit_blocks (number, last_sequence, lines, newest_at, sealed_at, lines_hash, previous_hash, hash, key_id, seal)
       values (7, 4, 1, 1, 1, 'h', '', 'h', 'k', 's');
     insert into second_factors (id, user_id, kind, name, secret, counter, created_at) values ('f', ${aUser}, 'totp', ${text}, 'sealed.by.none', 0, 1);
     insert into recovery_codes (hash, user_id, created_at) values ('h', ${aUser}, 1);
     insert into email_changes (user_id, email, hash, created_at, expires_at, failures) values (${aUser}, 'x@klinik.example', 'h', 1, 2, 3);
     insert into api_keys (id, hash, prefix, name, scopes, created_by, created_at) values ('k', 'h', 'janji_abcd', ${text}, '["bookings:read"]', ${aUser}, 1);
     insert into calendar_feeds (id, hash, user_id, role, details, created_at) values ('cf', 'h', ${aUser}, 'patient', 0, 1);
     insert into consents (sequence, write_id, user_id, kind, version, recorded_at) values (7, 'k', ${aUser}, 'given', ${text}, 1), (900, 'l', ${aUser}, 'given', '', 1);
     delete from consents where sequence = 900;
     insert into known_networks values ('a', 'n', 1);
     insert into throttles values ('k', 1, 2, 3);
     insert into claim_codes (hash, patient_id, created_by, created_at, expires_at, failures) values ('h', ${aUser}, ${aUser}, 1, 2, 0);
     insert into record_matches values ('m', ${aUser}, ${aUser}, 1, 'declined', ${aUser}, 1);
     insert into patient_sources values ('lama', ${text}, ${aUser}, 1);
     insert into patient_imports values ('i', 'lama', 'skip', null, 0, 'k', 2, 1, 0, 0, 0, 0, ${aUser}, 1, 1, null, 'patients', 0);
     insert into patient_import_rows values ('i', 2, 'created', ${aUser}, null, 1);
     insert into family_relations (account_id, patient_id, relation, created_at)
       select min(id), max(id), 'child', 1 from users;
     insert into doctor_notices (doctor_id, date, delay_minutes, message, version, updated_at)
       select min(id), '2030-01-01', 30, ${text}, 1, 1 from doctors;
     insert into waitlist_entries (id, patient_id, session_id, from_date, to_date, position, created_by, created_at)
       select 'w', (select min(id) from patients), min(id), '2030-01-01', '2030-01-02', 1, 'u', 1 from sessions;
     insert into exchanges (position, id, booking_id, target, step, occurred_at, slot, state, attempts, due_at, answer)
       values (3, 'x', 'b', 'bpjs', 'add', 1, '{}', 'parked', 1, 9007199254740991, ${text});
     insert into exchange_targets values ('bpjs', 'sealed.by.none', 1, 1, 9007199254740991, ${text});
     insert into exchange_lookups values ('p', 1);
     insert into logos (tag, content_type, content) values ('t', 'image/png', 'iVBORw0KGgo=');
     insert into doctor_photos (tag, content_type, content) values ('p', 'image/webp', 'UklGRg==');
     insert into doctor_pages (doctor_id, slug, published, about, photo_tag, created_at, updated_at)
       select min(id), 'dr-sari', 1, ${text}, 'p', 1, 1 from doctors;
     insert into doctor_slugs (slug, doctor_id) select 'dr-sari', min(id) from doctors;
     insert or ignore into search_words values ('o', 'person', 'kata');`,
  );
};
