ALTER TABLE `webhook_deliveries` ADD `exchange` text;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_exchange` ON `webhook_deliveries` (`last_attempt_at`) WHERE exchange is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
