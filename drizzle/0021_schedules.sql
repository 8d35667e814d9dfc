ALTER TABLE `clinic` ADD `refuse_shared_rooms` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `schedules` ADD `every_weeks` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `schedules` ADD `break_start` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `break_end` text;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
