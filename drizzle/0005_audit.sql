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
DROP INDEX `security_events_user`;--> statement-breakpoint
DROP INDEX `security_events_type`;--> statement-breakpoint
ALTER TABLE `security_events` ADD `actor_kind` text DEFAULT 'account' NOT NULL;--> statement-breakpoint
ALTER TABLE `security_events` ADD `patient_id` text;--> statement-breakpoint
ALTER TABLE `security_events` ADD `route` text;--> statement-breakpoint
CREATE INDEX `security_events_actor` ON `security_events` (`actor_id`,`occurred_at`) WHERE actor_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_patient` ON `security_events` (`patient_id`,`occurred_at`) WHERE patient_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`occurred_at`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`occurred_at`);
--> statement-breakpoint
-- Backfill: whose record a line is about, where its facts name it.
UPDATE `security_events` SET `patient_id` = json_extract(`detail`, '$.patient_id') WHERE CASE WHEN json_valid(`detail`) THEN json_extract(`detail`, '$.patient_id') END IS NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
