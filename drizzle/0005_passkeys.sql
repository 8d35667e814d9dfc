ALTER TABLE `second_factors` ADD `credential_id` text;--> statement-breakpoint
ALTER TABLE `second_factors` ADD `public_key` text;--> statement-breakpoint
ALTER TABLE `second_factors` ADD `transports` text;--> statement-breakpoint
CREATE UNIQUE INDEX `second_factors_credential` ON `second_factors` (`credential_id`);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
