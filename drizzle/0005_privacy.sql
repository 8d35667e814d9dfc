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
ALTER TABLE `clinic` ADD `retention_years` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `consent_version` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `privacy_notice_url` text;--> statement-breakpoint
ALTER TABLE `patients` ADD `erasure_id` text;--> statement-breakpoint
CREATE INDEX `patients_erasure` ON `patients` (`erasure_id`) WHERE erasure_id is not null;--> statement-breakpoint
CREATE INDEX `mail_outbox_user` ON `mail_outbox` (`user_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_sequence` ON `webhook_deliveries` (`sequence`);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
