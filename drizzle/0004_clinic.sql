ALTER TABLE `clinic` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `phone` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `logo_url` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `color` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `min_notice_minutes` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_advance_days` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `cancel_lead_minutes` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_live_bookings` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `max_unproved_bookings` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `version` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
