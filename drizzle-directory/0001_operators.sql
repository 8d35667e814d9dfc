CREATE TABLE `operator_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`operator` text NOT NULL,
	`act` text NOT NULL,
	`clinic_id` text,
	`clinic_name` text
);
--> statement-breakpoint
CREATE INDEX `operator_acts_at` ON `operator_acts` (`at`);--> statement-breakpoint
CREATE TABLE `operator_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `operator_logins` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`totp_secret` text NOT NULL,
	`totp_step` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_email_unique` ON `operators` (`email`);