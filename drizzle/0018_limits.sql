ALTER TABLE `clinic` ADD `approval_after_no_shows` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `max_per_day` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `min_days_between` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `open_to` text DEFAULT 'all' NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
