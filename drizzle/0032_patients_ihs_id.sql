CREATE INDEX `patients_ihs_id` ON `patients` (`ihs_id`) WHERE ihs_id is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
