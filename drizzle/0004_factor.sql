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
ALTER TABLE `device_logins` ADD `idle_ms` integer DEFAULT 2592000000 NOT NULL;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `proved_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `second_factor_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `deactivated_at` integer;
--> statement-breakpoint
-- Backfill: a login of the people of the clinic lasts as long as it was promised, and is not prolonged beyond that.
UPDATE `device_logins` SET `idle_ms` = 43200000, `ends_at` = `created_at` + 1209600000 WHERE `user_id` IN (SELECT `id` FROM `users` WHERE `role` <> 'patient');
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
