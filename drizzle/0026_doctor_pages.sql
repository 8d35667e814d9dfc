CREATE TABLE `doctor_pages` (
	`doctor_id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`about` text DEFAULT '' NOT NULL,
	`languages` text DEFAULT '[]' NOT NULL,
	`education` text DEFAULT '[]' NOT NULL,
	`photo_tag` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `doctor_pages_photo` ON `doctor_pages` (`photo_tag`);--> statement-breakpoint
CREATE TABLE `doctor_photos` (
	`tag` text PRIMARY KEY NOT NULL,
	`content_type` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `doctor_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`doctor_id` text NOT NULL,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `doctor_slugs_doctor` ON `doctor_slugs` (`doctor_id`);--> statement-breakpoint
ALTER TABLE `clinic` ADD `embed_origins` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `clock_ahead_ms` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
