import type { Invariant } from '../booking/record/invariants.ts';
import { maxClaimFailures } from './record/rules.ts';

/** The invariants of patients' records and of the accounts that act for them. */
export const patientInvariants: readonly Invariant[] = [
  {
    holds: 'a record that was created by itself is that of an account, whose name finds it',
    offenders: `select id from patients where created_by = id and id not in (select u.id from users u)`,
  },
  {
    holds: 'every account has a record of its own, with its name and phone number',
    offenders: `select u.id from users u left join patients p on p.id = u.id and p.merged_into is null
      where p.id is null or p.name <> u.name or p.phone_number <> u.phone_number
      or p.phone_country_code <> u.phone_country_code`,
  },
  {
    holds: 'a merged record leads to one that is not merged',
    offenders: `select id from patients where merged_into is not null
      and merged_into not in (select s.id from patients s where s.merged_into is null)`,
  },
  {
    holds: 'no booking, relation or open code belongs to a record that was merged',
    offenders: `select b.id from bookings b join patients p on p.id = b.patient_id and p.merged_into is not null
      union all select f.patient_id from family_relations f join patients p on p.id = f.patient_id
      and p.merged_into is not null
      union all select c.patient_id from claim_codes c join patients p on p.id = c.patient_id
      and p.merged_into is not null where c.used_at is null`,
  },
  {
    holds: 'nobody is of the family of themselves',
    offenders: `select account_id as id from family_relations where account_id = patient_id`,
  },
  {
    holds: 'a booking is changed in the role of a patient only by its patient or an account of the family',
    offenders: `select b.id from bookings b join booking_events e on e.booking_id = b.id
      where e.actor_role = 'patient' and e.actor_id <> b.patient_id and exists (
      select 1 from users u where u.id = e.actor_id) and not exists (
      select 1 from family_relations f where f.account_id = e.actor_id and f.patient_id = b.patient_id)`,
  },
  {
    holds: 'nothing is left of a person who was deleted, and nobody acts for the record',
    offenders: `select id from patients where erasure_id is not null and (name <> '' or phone_number <> ''
      or phone_country_code <> '' or staff_notes <> '' or created_by is not null or coalesce(email, birth_date, sex,
      address, medical_record_number, national_id, national_id_hash, insurance_number, insurance_number_hash,
      numbers_confirmed_at, numbers_confirmed_by, ihs_id, merged_into) is not null)
      union all select w.owner_id from search_words w join patients p on p.id = w.owner_id
      and p.erasure_id is not null
      union all select f.patient_id from family_relations f join patients p on p.id = f.patient_id
      and p.erasure_id is not null
      union all select u.id from users u join patients p on p.id = u.id and p.erasure_id is not null`,
  },
  {
    holds: 'a person is found by the words of the record, and by no others',
    offenders: `select w.owner_id as id from search_words w where w.kind = 'person' and not exists (
      select 1 from patients p, json_each(p.words) j where p.id = w.owner_id and j.value = w.word)
      union all select p.id from patients p, json_each(p.words) j where not exists (
      select 1 from search_words w where w.kind = 'person' and w.word = j.value and w.owner_id = p.id)
      and not exists (select 1 from users u where u.id = p.id and u.email = j.value)`,
  },
  {
    holds: 'a number that is stored can be found, and none is found that is not stored',
    offenders: `select id from patients where (national_id is null) <> (national_id_hash is null)
      or (insurance_number is null) <> (insurance_number_hash is null)`,
  },
  {
    holds: 'a code is tried in vain no more often than voids it',
    offenders: `select patient_id as id from claim_codes where failures > ${maxClaimFailures}`,
  },
];
