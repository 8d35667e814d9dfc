DROP INDEX `security_events_actor`;
--> statement-breakpoint
CREATE INDEX `security_events_actor` ON `security_events` (`actor_id`,`occurred_at`) WHERE actor_id is not null and actor_id is not user_id;
--> statement-breakpoint
-- What finds a person by one entry less: the e-mail of an account has its own index, a number of this country begins with its code.
DELETE FROM `search_words` WHERE `kind` = 'person' AND EXISTS (SELECT 1 FROM `users` u WHERE u.`id` = `search_words`.`owner_id` AND u.`email` = `search_words`.`word`);
--> statement-breakpoint
DELETE FROM `search_words` WHERE `kind` = 'person' AND EXISTS (SELECT 1 FROM `patients` o WHERE o.`id` = `search_words`.`owner_id` AND o.`phone_country_code` = '62' AND `search_words`.`word` = ltrim(o.`phone_number`, '0') AND EXISTS (SELECT 1 FROM json_each(o.`words`) w WHERE w.value = '62' || ltrim(o.`phone_number`, '0')));
--> statement-breakpoint
-- Tables that others refer to, made anew under their names: what refers to them waits until their rows are back.
PRAGMA defer_foreign_keys=on;
--> statement-breakpoint
CREATE TABLE `__users` AS SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `deactivated_at`, `created_at`, `updated_at` FROM `users`;
--> statement-breakpoint
DROP TABLE `users`;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`phone_number` text NOT NULL,
	`phone_country_code` text NOT NULL,
	`email` text NOT NULL,
	`device_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`doctor_id` text,
	`email_proved_at` integer,
	`invited_at` integer,
	`password_unset_at` integer,
	`second_factor_at` integer,
	`deactivated_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `users` (`id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `deactivated_at`, `created_at`, `updated_at`) SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `deactivated_at`, `created_at`, `updated_at` FROM `__users`;
--> statement-breakpoint
DROP TABLE `__users`;
--> statement-breakpoint
CREATE TABLE `__patients` AS SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `birth_date`, `sex`, `address`, `medical_record_number`, `national_id`, `national_id_hash`, `insurance_number`, `insurance_number_hash`, `numbers_confirmed_at`, `staff_notes`, `merged_into`, `erasure_id`, `words`, `version`, `created_by`, `created_at`, `updated_at` FROM `patients`;
--> statement-breakpoint
DROP TABLE `patients`;
--> statement-breakpoint
CREATE TABLE `patients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`phone_number` text NOT NULL,
	`phone_country_code` text NOT NULL,
	`email` text,
	`birth_date` text,
	`sex` text,
	`address` text,
	`medical_record_number` text,
	`national_id` text,
	`national_id_hash` text,
	`insurance_number` text,
	`insurance_number_hash` text,
	`numbers_confirmed_at` integer,
	`staff_notes` text NOT NULL,
	`merged_into` text,
	`erasure_id` text,
	`words` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `patients` (`id`, `name`, `phone_number`, `phone_country_code`, `email`, `birth_date`, `sex`, `address`, `medical_record_number`, `national_id`, `national_id_hash`, `insurance_number`, `insurance_number_hash`, `numbers_confirmed_at`, `staff_notes`, `merged_into`, `erasure_id`, `words`, `version`, `created_by`, `created_at`, `updated_at`) SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `birth_date`, `sex`, `address`, `medical_record_number`, `national_id`, `national_id_hash`, `insurance_number`, `insurance_number_hash`, `numbers_confirmed_at`, `staff_notes`, `merged_into`, `erasure_id`, CASE WHEN `words` IS NOT NULL THEN (SELECT json_group_array(j.value) FROM json_each(o.`words`) j WHERE NOT (o.`phone_country_code` = '62' AND j.value = ltrim(o.`phone_number`, '0') AND EXISTS (SELECT 1 FROM json_each(o.`words`) w WHERE w.value = '62' || ltrim(o.`phone_number`, '0')))) END, `version`, `created_by`, `created_at`, `updated_at` FROM `__patients` o;
--> statement-breakpoint
DROP TABLE `__patients`;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE INDEX `users_doctor` ON `users` (`doctor_id`) WHERE doctor_id is not null;
--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (`name`,`id`);
--> statement-breakpoint
CREATE INDEX `users_role_name` ON `users` (`role`,`name`,`id`) WHERE role <> 'patient';
--> statement-breakpoint
CREATE UNIQUE INDEX `patients_medical_record_number_unique` ON `patients` (`medical_record_number`) WHERE medical_record_number is not null;
--> statement-breakpoint
CREATE INDEX `patients_name` ON `patients` (`name`,`id`) WHERE merged_into is null and created_by is not id;
--> statement-breakpoint
CREATE INDEX `patients_merged_into` ON `patients` (`merged_into`) WHERE merged_into is not null;
--> statement-breakpoint
CREATE INDEX `patients_erasure` ON `patients` (`erasure_id`) WHERE erasure_id is not null;
--> statement-breakpoint
CREATE INDEX `patients_sealed_national_id` ON `patients` (`national_id`) WHERE national_id is not null;
--> statement-breakpoint
CREATE INDEX `patients_sealed_insurance_number` ON `patients` (`insurance_number`) WHERE insurance_number is not null;
--> statement-breakpoint
CREATE INDEX `patients_birth_date` ON `patients` (`birth_date`,`name`) WHERE birth_date is not null;
--> statement-breakpoint
CREATE INDEX `patients_national_id_hash` ON `patients` (`national_id_hash`) WHERE national_id_hash is not null;
--> statement-breakpoint
CREATE INDEX `patients_insurance_number_hash` ON `patients` (`insurance_number_hash`) WHERE insurance_number_hash is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `patients_national_id` ON `patients` (`national_id_hash`) WHERE numbers_confirmed_at is not null and merged_into is null and national_id_hash is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `patients_insurance_number` ON `patients` (`insurance_number_hash`) WHERE numbers_confirmed_at is not null and merged_into is null and insurance_number_hash is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
