ALTER TABLE `bookings` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `ask_confirmation` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `release_unconfirmed_at` text;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
