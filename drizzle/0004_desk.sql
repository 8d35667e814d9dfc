CREATE TABLE `email_changes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`failures` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_changes_expiry` ON `email_changes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`counter` integer NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `second_factors_user` ON `second_factors` (`user_id`);--> statement-breakpoint
CREATE INDEX `second_factors_secret` ON `second_factors` (`secret`);--> statement-breakpoint
CREATE TABLE `doctor_notices` (
	`doctor_id` text NOT NULL,
	`date` text NOT NULL,
	`delay_minutes` integer NOT NULL,
	`message` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`date`, `doctor_id`),
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `queue_prefixes` (
	`prefix` text PRIMARY KEY NOT NULL,
	`doctor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`replaced_at` integer,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `queue_prefixes_queue` ON `queue_prefixes` (`doctor_id`,`session_id`) WHERE replaced_at is null;--> statement-breakpoint
DROP INDEX `booking_events_time`;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `idle_ms` integer DEFAULT 2592000000 NOT NULL;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `proved_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `deactivated_at` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `sealed_by_jwt` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `phone` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `logo_url` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `color` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `min_notice_minutes` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_advance_days` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `cancel_lead_minutes` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_live_bookings` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_unproved_bookings` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `schedules` ADD `room` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `schedules_weekday` ON `schedules` (`weekday`) WHERE retired_at is null;--> statement-breakpoint
ALTER TABLE `sessions` ADD `approval` text DEFAULT 'manual' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `queue_label` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `staff_notes` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `overbooked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `first_called_at` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `queue_turn` text;
--> statement-breakpoint
-- Data: the first call of bookings that were called before it was kept.
UPDATE `bookings` SET `first_called_at` = coalesce((SELECT min(e.occurred_at) FROM `booking_events` e WHERE e.booking_id = `bookings`.id AND e.type = 'booking.called' AND e.version > coalesce((SELECT max(m.version) FROM `booking_events` m WHERE m.booking_id = e.booking_id AND m.type = 'booking.rescheduled'), 0)), `called_at`) WHERE `called_at` IS NOT NULL;
--> statement-breakpoint
-- Backfill: a prefix for every doctor and session that has bookings, and the label of each booking.
INSERT INTO `queue_prefixes` (`prefix`, `doctor_id`, `session_id`)
SELECT CASE WHEN n <= 26 THEN char(64 + n) WHEN n <= 702 THEN char(64 + (n - 1) / 26, 65 + (n - 1) % 26)
  ELSE char(64 + ((n - 1) / 26 - 1) / 26, 65 + ((n - 1) / 26 - 1) % 26, 65 + (n - 1) % 26) END, doctor_id, session_id
FROM (SELECT doctor_id, session_id, row_number() OVER (ORDER BY min(created_at), doctor_id, session_id) AS n
  FROM `bookings` GROUP BY doctor_id, session_id);
--> statement-breakpoint
UPDATE `bookings` SET `queue_label` = (SELECT p.prefix FROM `queue_prefixes` p WHERE p.doctor_id = bookings.doctor_id
  AND p.session_id = bookings.session_id AND p.replaced_at IS NULL) || '-' || printf('%02d', queue_number);
--> statement-breakpoint
-- Backfill: a login of the people of the clinic lasts as long as it was promised, and is not prolonged beyond that.
UPDATE `device_logins` SET `idle_ms` = 43200000, `ends_at` = `created_at` + 1209600000 WHERE `user_id` IN (SELECT `id` FROM `users` WHERE `role` <> 'patient');
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
