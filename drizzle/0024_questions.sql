ALTER TABLE `bookings` ADD `answers` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `questions` text;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
