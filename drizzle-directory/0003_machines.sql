CREATE TABLE `leases` (
	`clinic_id` text PRIMARY KEY NOT NULL,
	`machine_id` text,
	`epoch` integer NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `leases_machine` ON `leases` (`machine_id`);--> statement-breakpoint
CREATE TABLE `machines` (
	`id` text PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`computer` text NOT NULL,
	`started_at` integer NOT NULL,
	`held_until` integer NOT NULL
);
