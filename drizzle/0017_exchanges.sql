CREATE TABLE `exchange_lookups` (
	`subject_id` text PRIMARY KEY NOT NULL,
	`asked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `exchange_targets` (
	`target` text PRIMARY KEY NOT NULL,
	`token` text,
	`token_until` integer,
	`token_failed_at` integer,
	`rest_until` integer,
	`rest_reason` text
);
--> statement-breakpoint
CREATE TABLE `exchanges` (
	`position` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`booking_id` text NOT NULL,
	`target` text NOT NULL,
	`step` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`slot` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`first_attempt_at` integer,
	`due_at` integer NOT NULL,
	`lease_id` text,
	`reason` text,
	`answer` text,
	`parked_at` integer
);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
