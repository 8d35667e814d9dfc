CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`account_id` text,
	`network` text,
	`doctor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`schedule_date` text NOT NULL,
	`schedule_time` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `holds_secret_hash_unique` ON `holds` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `holds_doctor_day` ON `holds` (`doctor_id`,`schedule_date`,`starts_at`);--> statement-breakpoint
CREATE INDEX `holds_expiry` ON `holds` (`expires_at`);--> statement-breakpoint
CREATE INDEX `holds_account` ON `holds` (`account_id`) WHERE account_id is not null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
