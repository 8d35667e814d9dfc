-- An account that was made by a code to a phone has no e-mail. SQLite makes a column nullable only in a new table:
-- made anew under its name, as in 0007; what refers to it waits until its rows are back.
PRAGMA defer_foreign_keys=on;
--> statement-breakpoint
CREATE TABLE `__users` AS SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `sso_subject`, `deactivated_at`, `created_at`, `updated_at` FROM `users`;
--> statement-breakpoint
DROP TABLE `users`;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`phone_number` text NOT NULL,
	`phone_country_code` text NOT NULL,
	`email` text,
	`device_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`doctor_id` text,
	`email_proved_at` integer,
	`login_phone` text,
	`phone_proved_at` integer,
	`invited_at` integer,
	`password_unset_at` integer,
	`second_factor_at` integer,
	`sso_subject` text,
	`deactivated_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `users` (`id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `sso_subject`, `deactivated_at`, `created_at`, `updated_at`) SELECT `id`, `name`, `phone_number`, `phone_country_code`, `email`, `device_id`, `password_hash`, `role`, `doctor_id`, `email_proved_at`, `invited_at`, `password_unset_at`, `second_factor_at`, `sso_subject`, `deactivated_at`, `created_at`, `updated_at` FROM `__users`;
--> statement-breakpoint
DROP TABLE `__users`;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE INDEX `users_doctor` ON `users` (`doctor_id`) WHERE doctor_id is not null;
--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (`name`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_login_phone` ON `users` (`login_phone`) WHERE login_phone is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_sso_subject` ON `users` (`sso_subject`) WHERE sso_subject is not null;
--> statement-breakpoint
CREATE INDEX `users_role_name` ON `users` (`role`,`name`,`id`) WHERE role <> 'patient';
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
