import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hasExternalId, instant, localDate, uuid } from '../db/columns.ts';
import { users } from './accounts.ts';
import { numberConfirmers, relations, sexes } from './words.ts';

/**
 * The patients of the clinic. The record of an account has the account's id, name and phone number; a patient needs no
 * account. A record that was merged into another one stays, so that its id still leads to the other.
 */
export const patients = sqliteTable(
  'patients',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    phoneNumber: text('phone_number').notNull(),
    phoneCountryCode: text('phone_country_code').notNull(),
    /** For notices; it never changes the e-mail of a login. */
    email: text('email'),
    birthDate: localDate('birth_date'),
    sex: text('sex', { enum: sexes }),
    address: text('address'),
    medicalRecordNumber: text('medical_record_number'),
    /** Sealed; `…Hash` is the keyed hash by which the number is found. */
    nationalId: text('national_id'),
    nationalIdHash: text('national_id_hash'),
    insuranceNumber: text('insurance_number'),
    insuranceNumberHash: text('insurance_number_hash'),
    /** When the clinic confirmed the numbers above: until then another record may have the same. */
    numbersConfirmedAt: instant('numbers_confirmed_at'),
    numbersConfirmedBy: text('numbers_confirmed_by', { enum: numberConfirmers }),
    /** The patient's number at SATUSEHAT (IHS). */
    ihsId: text('ihs_id'),
    staffNotes: text('staff_notes').notNull(),
    /** The id of the record in another system, and what that system keeps with it, as a JSON object. */
    externalId: text('external_id'),
    metadata: text('metadata'),
    mergedInto: uuid('merged_into'),
    /** The deletion that made the record anonymous: only an id is left. */
    erasureId: uuid('erasure_id'),
    /** The words by which the record is found, as a JSON list; null if there are none. */
    words: text('words'),
    version: integer('version').notNull().default(1),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('patients_medical_record_number_unique')
      .on(t.medicalRecordNumber)
      .where(sql`medical_record_number is not null`),
    // Also of a record that was merged: its id leads to the other one.
    uniqueIndex('patients_external_id').on(t.externalId).where(hasExternalId),
    // Records of accounts, which create themselves, are listed by the names of the accounts.
    index('patients_name').on(t.name, t.id).where(sql`merged_into is null and created_by is not id`),
    // For consumers of changes, ordered by time of change.
    index('patients_updated').on(t.updatedAt, t.id),
    index('patients_merged_into').on(t.mergedInto).where(sql`merged_into is not null`),
    index('patients_erasure').on(t.erasureId).where(sql`erasure_id is not null`),
    // A sealed number begins with the id of its key: the numbers of an old key are found by it.
    index('patients_sealed_national_id').on(t.nationalId).where(sql`national_id is not null`),
    index('patients_sealed_insurance_number').on(t.insuranceNumber).where(sql`insurance_number is not null`),
    index('patients_birth_date').on(t.birthDate, t.name).where(sql`birth_date is not null`),
    index('patients_national_id_hash').on(t.nationalIdHash).where(sql`national_id_hash is not null`),
    index('patients_insurance_number_hash')
      .on(t.insuranceNumberHash)
      .where(sql`insurance_number_hash is not null`),
    index('patients_ihs_id').on(t.ihsId).where(sql`ihs_id is not null`),
    // Unique only once the desk has confirmed it: typing a number must not reveal whether it is stored.
    uniqueIndex('patients_national_id')
      .on(t.nationalIdHash)
      .where(sql`numbers_confirmed_at is not null and merged_into is null and national_id_hash is not null`),
    uniqueIndex('patients_insurance_number')
      .on(t.insuranceNumberHash)
      .where(
        sql`numbers_confirmed_at is not null and merged_into is null and insurance_number_hash is not null`,
      ),
  ],
);

/**
 * The patients for whom an account acts beside its own record. An ended relation stays, for the limit of additions in a
 * year.
 */
export const familyRelations = sqliteTable(
  'family_relations',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => users.id),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    relation: text('relation', { enum: relations }).notNull(),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.patientId] }),
    index('family_relations_patient').on(t.patientId),
  ],
);

/** A code that links a record to an account, as a hash; valid once, for two days, and for five attempts. */
export const claimCodes = sqliteTable(
  'claim_codes',
  {
    hash: text('hash').primaryKey(),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    createdBy: uuid('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    failures: integer('failures').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('claim_codes_patient').on(t.patientId), index('claim_codes_expiry').on(t.expiresAt)],
);
