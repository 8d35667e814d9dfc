ALTER TABLE `mail_outbox` ADD `address` text;--> statement-breakpoint
CREATE INDEX `mail_outbox_address` ON `mail_outbox` (`expires_at`) WHERE address is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
