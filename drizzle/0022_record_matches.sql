CREATE TABLE `record_matches` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`patient_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`decision` text,
	`decided_by` text,
	`settled_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_matches_pair` ON `record_matches` (`account_id`,`patient_id`);--> statement-breakpoint
CREATE INDEX `record_matches_patient` ON `record_matches` (`patient_id`);--> statement-breakpoint
CREATE INDEX `record_matches_open` ON `record_matches` (`created_at`,`id`) WHERE settled_at is null;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
