CREATE TABLE `audit_blocks` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`last_sequence` integer NOT NULL,
	`lines` integer NOT NULL,
	`newest_at` integer NOT NULL,
	`sealed_at` integer NOT NULL,
	`lines_hash` text NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	`key_id` text NOT NULL,
	`seal` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_blocks_last` ON `audit_blocks` (`last_sequence`);--> statement-breakpoint
CREATE INDEX `audit_blocks_key` ON `audit_blocks` (`key_id`,`number`);--> statement-breakpoint
CREATE TABLE `consents` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`write_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` text NOT NULL,
	`recorded_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `consents_write_id_unique` ON `consents` (`write_id`);--> statement-breakpoint
CREATE INDEX `consents_user` ON `consents` (`user_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
DROP INDEX `security_events_user`;--> statement-breakpoint
DROP INDEX `security_events_type`;--> statement-breakpoint
ALTER TABLE `security_events` ADD `actor_kind` text DEFAULT 'account' NOT NULL;--> statement-breakpoint
ALTER TABLE `security_events` ADD `patient_id` text;--> statement-breakpoint
ALTER TABLE `security_events` ADD `route` text;--> statement-breakpoint
CREATE INDEX `security_events_actor` ON `security_events` (`actor_id`,`occurred_at`) WHERE actor_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_patient` ON `security_events` (`patient_id`,`occurred_at`) WHERE patient_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`occurred_at`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`occurred_at`);--> statement-breakpoint
ALTER TABLE `clinic` ADD `retention_years` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `consent_version` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `privacy_notice_url` text;--> statement-breakpoint
ALTER TABLE `second_factors` ADD `credential_id` text;--> statement-breakpoint
ALTER TABLE `second_factors` ADD `public_key` text;--> statement-breakpoint
ALTER TABLE `second_factors` ADD `transports` text;--> statement-breakpoint
CREATE UNIQUE INDEX `second_factors_credential` ON `second_factors` (`credential_id`);--> statement-breakpoint
ALTER TABLE `patients` ADD `erasure_id` text;--> statement-breakpoint
CREATE INDEX `patients_erasure` ON `patients` (`erasure_id`) WHERE erasure_id is not null;--> statement-breakpoint
CREATE INDEX `mail_outbox_user` ON `mail_outbox` (`user_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_sequence` ON `webhook_deliveries` (`sequence`);
--> statement-breakpoint
-- Backfill: whose record a line is about, where its facts name it.
UPDATE `security_events` SET `patient_id` = json_extract(`detail`, '$.patient_id') WHERE CASE WHEN json_valid(`detail`) THEN json_extract(`detail`, '$.patient_id') END IS NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
