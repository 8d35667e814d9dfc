CREATE TABLE `signups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`host` text NOT NULL,
	`email` text NOT NULL,
	`time_zone` text,
	`language` text NOT NULL,
	`token_hash` text,
	`asked_at` integer NOT NULL,
	`proved_at` integer,
	`claimed_at` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signups_token_hash_unique` ON `signups` (`token_hash`);--> statement-breakpoint
CREATE INDEX `signups_expires` ON `signups` (`expires_at`);