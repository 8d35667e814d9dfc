ALTER TABLE `bookings` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `metadata` text;--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_external_id` ON `bookings` (`external_id`) WHERE external_id is not null;--> statement-breakpoint
ALTER TABLE `doctors` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `doctors` ADD `metadata` text;--> statement-breakpoint
CREATE UNIQUE INDEX `doctors_external_id` ON `doctors` (`external_id`) WHERE external_id is not null;--> statement-breakpoint
ALTER TABLE `sessions` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `metadata` text;--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_external_id` ON `sessions` (`external_id`) WHERE external_id is not null;--> statement-breakpoint
ALTER TABLE `patients` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `patients` ADD `metadata` text;--> statement-breakpoint
CREATE UNIQUE INDEX `patients_external_id` ON `patients` (`external_id`) WHERE external_id is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
