ALTER TABLE `bookings` ADD `channel` text DEFAULT 'app' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `payer` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `visit_kind` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `referral_number` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `exchange_code` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `encounter_id` text;--> statement-breakpoint
CREATE INDEX `bookings_referral` ON `bookings` (`referral_number`) WHERE referral_number is not null and status <> 'canceled';--> statement-breakpoint
ALTER TABLE `clinic` ADD `bpjs_facility_code` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `satusehat_organization_id` text;--> statement-breakpoint
ALTER TABLE `doctors` ADD `bpjs_doctor_code` integer;--> statement-breakpoint
ALTER TABLE `doctors` ADD `ihs_id` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `jkn_quota` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `bpjs_poli_code` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `bpjs_fktp_code` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ihs_location_id` text;--> statement-breakpoint
ALTER TABLE `patients` ADD `numbers_confirmed_by` text;--> statement-breakpoint
ALTER TABLE `patients` ADD `ihs_id` text;--> statement-breakpoint
UPDATE `patients` SET `numbers_confirmed_by` = 'clinic' WHERE `numbers_confirmed_at` IS NOT NULL;--> statement-breakpoint
UPDATE `bookings` SET `channel` = 'desk' WHERE `created_by` IN (SELECT `id` FROM `users` WHERE `role` <> 'patient' UNION ALL SELECT `id` FROM `api_keys`) AND `created_by` <> `patient_id`;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
