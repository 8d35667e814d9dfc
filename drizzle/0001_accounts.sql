CREATE TABLE `email_codes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`failures` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_codes_expiry` ON `email_codes` (`expires_at`);--> statement-breakpoint
ALTER TABLE `password_resets` ADD `proves_email` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `email_proved_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `invited_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `password_unset_at` integer;--> statement-breakpoint
CREATE INDEX `booking_events_by_patient` ON `booking_events` (`actor_id`,`occurred_at`) WHERE actor_role = 'patient';--> statement-breakpoint
UPDATE `users` SET `email_proved_at` = `created_at`;--> statement-breakpoint
UPDATE `users` SET `invited_at` = `created_at` WHERE EXISTS (SELECT 1 FROM `security_events` e WHERE e.`user_id` = `users`.`id` AND e.`type` = 'role_changed' AND json_extract(e.`detail`, '$.from') IS NULL);--> statement-breakpoint
UPDATE `users` SET `password_unset_at` = `created_at` WHERE `password_hash` = '$argon2id$v=19$m=19456,t=2,p=1$kwhetYmtVszqPSZzlU9Slg$T7CgSOZI7aRB5+oLQzubaD32Ja5X1rDdbGPZLQNWF1Q';
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
