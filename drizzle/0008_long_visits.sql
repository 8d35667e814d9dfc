CREATE INDEX `bookings_long` ON `bookings` (`doctor_id`,`starts_at`) WHERE ends_at - starts_at > 3600000;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
