CREATE TABLE `clinics` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`time_zone` text NOT NULL,
	`state` text NOT NULL,
	`state_since` integer NOT NULL,
	`settings` text NOT NULL,
	`file` text,
	`schema` integer,
	`due_at` integer,
	`used_at` integer,
	`problem` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `clinics_due` ON `clinics` (`due_at`);--> statement-breakpoint
CREATE INDEX `clinics_schema` ON `clinics` (`schema`,`used_at`);--> statement-breakpoint
CREATE TABLE `hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`clinic_id` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`clinic_id`) REFERENCES `clinics`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `hosts_clinic` ON `hosts` (`clinic_id`,`position`);