ALTER TABLE `users` ADD `sso_subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_sso_subject` ON `users` (`sso_subject`) WHERE sso_subject is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
