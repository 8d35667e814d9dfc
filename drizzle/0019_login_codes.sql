CREATE TABLE `login_codes` (
	`address` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`failures` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_codes_expiry` ON `login_codes` (`expires_at`);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
