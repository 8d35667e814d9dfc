CREATE INDEX `bookings_updated` ON `bookings` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `patients_updated` ON `patients` (`updated_at`,`id`);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
