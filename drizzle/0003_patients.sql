CREATE TABLE `claim_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`patient_id` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `claim_codes_patient` ON `claim_codes` (`patient_id`);--> statement-breakpoint
CREATE INDEX `claim_codes_expiry` ON `claim_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `family_relations` (
	`account_id` text NOT NULL,
	`patient_id` text NOT NULL,
	`relation` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`account_id`, `patient_id`),
	FOREIGN KEY (`account_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `family_relations_patient` ON `family_relations` (`patient_id`);--> statement-breakpoint
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
	`version` integer DEFAULT 1 NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `patients_medical_record_number_unique` ON `patients` (`medical_record_number`);--> statement-breakpoint
CREATE INDEX `patients_name` ON `patients` (`name`,`id`) WHERE merged_into is null;--> statement-breakpoint
CREATE INDEX `patients_merged_into` ON `patients` (`merged_into`) WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX `patients_sealed_national_id` ON `patients` (`national_id`) WHERE national_id is not null;--> statement-breakpoint
CREATE INDEX `patients_sealed_insurance_number` ON `patients` (`insurance_number`) WHERE insurance_number is not null;--> statement-breakpoint
CREATE INDEX `patients_birth_date` ON `patients` (`birth_date`,`name`) WHERE birth_date is not null;--> statement-breakpoint
CREATE INDEX `patients_national_id_hash` ON `patients` (`national_id_hash`) WHERE national_id_hash is not null;--> statement-breakpoint
CREATE INDEX `patients_insurance_number_hash` ON `patients` (`insurance_number_hash`) WHERE insurance_number_hash is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `patients_national_id` ON `patients` (`national_id_hash`) WHERE numbers_confirmed_at is not null and merged_into is null and national_id_hash is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `patients_insurance_number` ON `patients` (`insurance_number_hash`) WHERE numbers_confirmed_at is not null and merged_into is null and insurance_number_hash is not null;--> statement-breakpoint
INSERT INTO `patients` (`id`, `name`, `phone_number`, `phone_country_code`, `staff_notes`, `version`, `created_by`, `created_at`, `updated_at`)
SELECT `id`, `name`, `phone_number`, `phone_country_code`, '', 1, `id`, `created_at`, `updated_at` FROM `users`;--> statement-breakpoint
PRAGMA defer_foreign_keys=on;--> statement-breakpoint
CREATE TABLE `__new_bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`write_id` text NOT NULL,
	`patient_id` text NOT NULL,
	`doctor_id` text NOT NULL,
	`doctor_name` text NOT NULL,
	`session_id` text NOT NULL,
	`session_name` text NOT NULL,
	`schedule_date` text NOT NULL,
	`schedule_time` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`seat` integer NOT NULL,
	`queue_number` integer NOT NULL,
	`booking_code` text NOT NULL,
	`notes` text NOT NULL,
	`status` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`canceled_at` integer,
	`canceled_by` text,
	`cancel_reason_code` text,
	`cancel_reason` text,
	`approved_at` integer,
	`checked_in_at` integer,
	`called_at` integer,
	`call_count` integer NOT NULL,
	`completed_at` integer,
	`no_show_at` integer,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_bookings`("id", "version", "write_id", "patient_id", "doctor_id", "doctor_name", "session_id", "session_name", "schedule_date", "schedule_time", "starts_at", "ends_at", "seat", "queue_number", "booking_code", "notes", "status", "created_by", "created_at", "updated_at", "canceled_at", "canceled_by", "cancel_reason_code", "cancel_reason", "approved_at", "checked_in_at", "called_at", "call_count", "completed_at", "no_show_at") SELECT "id", "version", "write_id", "patient_id", "doctor_id", "doctor_name", "session_id", "session_name", "schedule_date", "schedule_time", "starts_at", "ends_at", "seat", "queue_number", "booking_code", "notes", "status", "created_by", "created_at", "updated_at", "canceled_at", "canceled_by", "cancel_reason_code", "cancel_reason", "approved_at", "checked_in_at", "called_at", "call_count", "completed_at", "no_show_at" FROM `bookings`;--> statement-breakpoint
DROP TABLE `bookings`;--> statement-breakpoint
ALTER TABLE `__new_bookings` RENAME TO `bookings`;--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_booking_code_unique` ON `bookings` (`booking_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_seat` ON `bookings` (`doctor_id`,`starts_at`,`seat`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_patient_start` ON `bookings` (`patient_id`,`starts_at`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX `bookings_taken` ON `bookings` (`doctor_id`,`starts_at`,`ends_at`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX `bookings_history` ON `bookings` (`patient_id`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_doctor_day` ON `bookings` (`doctor_id`,`schedule_date`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_day` ON `bookings` (`schedule_date`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_waiting` ON `bookings` (`ends_at`) WHERE status = 'waiting';--> statement-breakpoint
ALTER TABLE `clinic` ADD `last_record_number` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
