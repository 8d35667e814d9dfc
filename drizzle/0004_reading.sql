CREATE INDEX `schedules_weekday` ON `schedules` (`weekday`) WHERE retired_at is null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
