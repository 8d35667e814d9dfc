ALTER TABLE `clinic` ADD `self_check_in_minutes` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `poster_secret` text;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
