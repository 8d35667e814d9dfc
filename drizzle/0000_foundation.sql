CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease_id` text,
	`sent_at` integer,
	`failed_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`due_at`) WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX `mail_outbox_expiry` ON `mail_outbox` (`expires_at`);--> statement-breakpoint
CREATE TABLE `device_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`device_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `device_logins_user` ON `device_logins` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `device_logins_expiry` ON `device_logins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `password_resets_user` ON `password_resets` (`user_id`);--> statement-breakpoint
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`device_login_id` text NOT NULL,
	`generation` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`rotated_at` integer,
	FOREIGN KEY (`device_login_id`) REFERENCES `device_logins`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refresh_tokens_login` ON `refresh_tokens` (`device_login_id`,`generation`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `security_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`write_id` text NOT NULL,
	`type` text NOT NULL,
	`user_id` text,
	`actor_id` text,
	`device_login_id` text,
	`network` text,
	`request_id` text,
	`occurred_at` integer NOT NULL,
	`detail` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `security_events_write_id_unique` ON `security_events` (`write_id`);--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`sequence`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`occurred_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`phone_number` text NOT NULL,
	`phone_country_code` text NOT NULL,
	`email` text NOT NULL,
	`device_id` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`doctor_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_doctor` ON `users` (`doctor_id`);--> statement-breakpoint
CREATE INDEX `users_role_name` ON `users` (`role`,`name`,`id`);--> statement-breakpoint
CREATE TABLE `known_networks` (
	`account` text NOT NULL,
	`network` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`account`, `network`)
);
--> statement-breakpoint
CREATE INDEX `known_networks_expiry` ON `known_networks` (`expires_at`);--> statement-breakpoint
CREATE TABLE `throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`empty_at` integer NOT NULL,
	`blocked_until` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `throttles_expiry` ON `throttles` (`expires_at`);--> statement-breakpoint
CREATE TABLE `clinic` (
	`id` integer PRIMARY KEY NOT NULL,
	`time_zone` text NOT NULL,
	`rezoning_to` text,
	`calendar_version` integer NOT NULL,
	`demo_since` integer
);
--> statement-breakpoint
CREATE TABLE `closures` (
	`id` text PRIMARY KEY NOT NULL,
	`doctor_id` text,
	`name` text NOT NULL,
	`start_date` text NOT NULL,
	`end_date` text NOT NULL,
	`start_time` text,
	`end_time` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `closures_doctor` ON `closures` (`doctor_id`,`end_date`);--> statement-breakpoint
CREATE INDEX `closures_start` ON `closures` (`start_date`,`id`);--> statement-breakpoint
CREATE TABLE `doctors` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`title` text NOT NULL,
	`specialty` text NOT NULL,
	`calendar_version` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`retired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `doctors_name` ON `doctors` (`name`,`id`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`doctor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`weekday` integer NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`slot_minutes` integer NOT NULL,
	`capacity` integer NOT NULL,
	`valid_from` text,
	`valid_until` text,
	`version` integer DEFAULT 1 NOT NULL,
	`retired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `schedules_doctor` ON `schedules` (`doctor_id`,`weekday`,`start_time`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_session` ON `schedules` (`session_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`retired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_name` ON `sessions` (`name`,`id`);--> statement-breakpoint
CREATE TABLE `booking_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`write_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`version` integer NOT NULL,
	`type` text NOT NULL,
	`actor_id` text,
	`actor_role` text NOT NULL,
	`request_id` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`payload` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `booking_events_write_id_unique` ON `booking_events` (`write_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `booking_events_version` ON `booking_events` (`booking_id`,`version`);--> statement-breakpoint
CREATE INDEX `booking_events_time` ON `booking_events` (`occurred_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`booking_id` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`first_attempt_at` integer,
	`last_attempt_at` integer,
	`next_attempt_at` integer NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`last_status` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sequence`) REFERENCES `booking_events`(`sequence`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`endpoint_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_order` ON `webhook_deliveries` (`endpoint_id`,`booking_id`,`sequence`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_settled` ON `webhook_deliveries` (`settled_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_lease` ON `webhook_deliveries` (`lease_id`) WHERE lease_id is not null;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`description` text NOT NULL,
	`event_types` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_until` integer,
	`last_sequence` integer NOT NULL,
	`paused_at` integer,
	`paused_reason` text,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`hold_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`write_id` text NOT NULL,
	`patient_id` text NOT NULL,
	`doctor_id` text NOT NULL,
	`doctor_name` text NOT NULL,
	`session_id` text NOT NULL,
	`session_name` text NOT NULL,
	`schedule_date` text NOT NULL,
	`schedule_time` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`seat` integer NOT NULL,
	`queue_number` integer NOT NULL,
	`booking_code` text NOT NULL,
	`notes` text NOT NULL,
	`status` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`canceled_at` integer,
	`canceled_by` text,
	`cancel_reason_code` text,
	`cancel_reason` text,
	`approved_at` integer,
	`checked_in_at` integer,
	`called_at` integer,
	`call_count` integer NOT NULL,
	`completed_at` integer,
	`no_show_at` integer,
	FOREIGN KEY (`patient_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_booking_code_unique` ON `bookings` (`booking_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_seat` ON `bookings` (`doctor_id`,`starts_at`,`seat`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_patient_start` ON `bookings` (`patient_id`,`starts_at`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX `bookings_taken` ON `bookings` (`doctor_id`,`starts_at`,`ends_at`) WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX `bookings_history` ON `bookings` (`patient_id`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_doctor_day` ON `bookings` (`doctor_id`,`schedule_date`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_day` ON `bookings` (`schedule_date`,`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_waiting` ON `bookings` (`ends_at`) WHERE status = 'waiting';--> statement-breakpoint
CREATE TABLE `queues` (
	`doctor_id` text NOT NULL,
	`schedule_date` text NOT NULL,
	`session_id` text NOT NULL,
	`last_number` integer NOT NULL,
	PRIMARY KEY(`doctor_id`, `schedule_date`, `session_id`)
);
--> statement-breakpoint
CREATE TABLE `replays` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `replays_expiry` ON `replays` (`expires_at`);--> statement-breakpoint
CREATE TABLE `search_words` (
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`owner_id`, `word`)
);
--> statement-breakpoint
CREATE INDEX `search_words_word` ON `search_words` (`kind`,`word`,`owner_id`);