DROP INDEX `notices_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `notices_once` ON `notices` (`booking_id`,`kind`,`channel`,`version`,`person_id`);--> statement-breakpoint
ALTER TABLE `notice_choices` ADD `desk` integer DEFAULT false NOT NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
