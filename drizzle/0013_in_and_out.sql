CREATE TABLE `patient_import_rows` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`outcome` text NOT NULL,
	`patient_id` text,
	`issues` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `patient_imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `patient_import_rows_created` ON `patient_import_rows` (`created_at`);--> statement-breakpoint
CREATE INDEX `patient_import_rows_patient` ON `patient_import_rows` (`patient_id`) WHERE patient_id is not null;--> statement-breakpoint
CREATE TABLE `patient_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`on_duplicate` text NOT NULL,
	`date_order` text,
	`dry_run` integer NOT NULL,
	`file_key` text,
	`last_row` integer NOT NULL,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`skipped` integer NOT NULL,
	`refused` integer NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `patient_imports_created` ON `patient_imports` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `patient_imports_updated` ON `patient_imports` (`updated_at`);--> statement-breakpoint
CREATE INDEX `patient_imports_file` ON `patient_imports` (`file_key`) WHERE file_key is not null;--> statement-breakpoint
CREATE TABLE `patient_sources` (
	`source` text NOT NULL,
	`external_id` text NOT NULL,
	`patient_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`source`, `external_id`),
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `patient_sources_patient` ON `patient_sources` (`patient_id`);--> statement-breakpoint
CREATE INDEX `patients_updated` ON `patients` (`updated_at`,`id`);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
