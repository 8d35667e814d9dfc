CREATE TABLE `logos` (
	`tag` text PRIMARY KEY NOT NULL,
	`content_type` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `calendar_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`doctor_id` text,
	`details` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_hash_unique` ON `calendar_feeds` (`hash`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_user` ON `calendar_feeds` (`user_id`);--> statement-breakpoint
CREATE TABLE `notice_choices` (
	`person_id` text PRIMARY KEY NOT NULL,
	`email` integer NOT NULL,
	`message` integer NOT NULL,
	`stopped_kinds` text NOT NULL,
	`language` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`booking_id` text NOT NULL,
	`version` integer NOT NULL,
	`kind` text NOT NULL,
	`channel` text NOT NULL,
	`person_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`urgent` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`settled_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notices_once` ON `notices` (`booking_id`,`kind`,`channel`,`version`);--> statement-breakpoint
CREATE INDEX `notices_due` ON `notices` (`due_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `notices_age` ON `notices` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `waitlist_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`patient_id` text NOT NULL,
	`session_id` text NOT NULL,
	`doctor_id` text,
	`from_date` text NOT NULL,
	`to_date` text NOT NULL,
	`earliest_time` text,
	`latest_time` text,
	`position` integer NOT NULL,
	`created_by` text NOT NULL,
	`family_account` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`ended_as` text,
	FOREIGN KEY (`patient_id`) REFERENCES `patients`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`doctor_id`) REFERENCES `doctors`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `waitlist_order` ON `waitlist_entries` (`session_id`,`position`,`id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `waitlist_patient` ON `waitlist_entries` (`patient_id`);--> statement-breakpoint
CREATE INDEX `waitlist_ended` ON `waitlist_entries` (`ended_at`) WHERE ended_at is not null;--> statement-breakpoint
DROP INDEX `bookings_seat`;--> statement-breakpoint
DROP INDEX `bookings_patient_start`;--> statement-breakpoint
DROP INDEX `bookings_taken`;--> statement-breakpoint
DROP INDEX `bookings_doctor_day`;--> statement-breakpoint
ALTER TABLE `bookings` ADD `series_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `held_until` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `waitlist_id` text;--> statement-breakpoint
CREATE INDEX `bookings_series` ON `bookings` (`series_id`,`starts_at`) WHERE series_id is not null;--> statement-breakpoint
CREATE INDEX `bookings_held` ON `bookings` (`held_until`) WHERE status = 'waiting' and held_until is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_offer` ON `bookings` (`waitlist_id`) WHERE status = 'waiting' and held_until is not null;--> statement-breakpoint
CREATE INDEX `bookings_doctor_day` ON `bookings` (`doctor_id`,`schedule_date`,`starts_at`,`ends_at`,`seat`,`status`,`held_until`);--> statement-breakpoint
-- Tables made anew, each filled before the old one goes, and a child with its parent: no row ever lacks what it refers to.
CREATE TABLE `__new_booking_events` (
	`sequence` integer PRIMARY KEY NOT NULL,
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
INSERT INTO `__new_booking_events` (`sequence`, `write_id`, `booking_id`, `version`, `type`, `actor_id`, `actor_role`, `request_id`, `occurred_at`, `payload`) SELECT `sequence`, `write_id`, `booking_id`, `version`, `type`, `actor_id`, `actor_role`, `request_id`, `occurred_at`, `payload` FROM `booking_events`;
--> statement-breakpoint
CREATE TABLE `__new_webhook_deliveries` (
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
	FOREIGN KEY (`sequence`) REFERENCES `__new_booking_events`(`sequence`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_webhook_deliveries` (`id`, `endpoint_id`, `sequence`, `booking_id`, `state`, `attempts`, `first_attempt_at`, `last_attempt_at`, `next_attempt_at`, `lease_id`, `lease_until`, `last_status`, `last_error`, `created_at`, `settled_at`) SELECT `id`, `endpoint_id`, `sequence`, `booking_id`, `state`, `attempts`, `first_attempt_at`, `last_attempt_at`, `next_attempt_at`, `lease_id`, `lease_until`, `last_status`, `last_error`, `created_at`, `settled_at` FROM `webhook_deliveries`;
--> statement-breakpoint
DROP TABLE `webhook_deliveries`;
--> statement-breakpoint
DROP TABLE `booking_events`;
--> statement-breakpoint
ALTER TABLE `__new_booking_events` RENAME TO `booking_events`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_deliveries` RENAME TO `webhook_deliveries`;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`endpoint_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE state = 'pending';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_order` ON `webhook_deliveries` (`endpoint_id`,`booking_id`,`sequence`) WHERE state = 'pending';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_settled` ON `webhook_deliveries` (`settled_at`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_lease` ON `webhook_deliveries` (`lease_id`) WHERE lease_id is not null;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_sequence` ON `webhook_deliveries` (`sequence`);
--> statement-breakpoint
-- No number was given twice before; none is waited for that the events no longer reach.
UPDATE `webhook_endpoints` SET `last_sequence` = (SELECT coalesce(max(e.sequence), 0) FROM `booking_events` e) WHERE `last_sequence` > (SELECT coalesce(max(e.sequence), 0) FROM `booking_events` e);
--> statement-breakpoint
CREATE TABLE `__new_device_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`device_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text,
	`used_generation` integer DEFAULT 0 NOT NULL,
	`idle_ms` integer DEFAULT 2592000000 NOT NULL,
	`ends_at` integer,
	`proved_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_device_logins` (`id`, `user_id`, `device_id`, `user_agent`, `created_at`, `last_seen_at`, `expires_at`, `revoked_at`, `revoked_reason`, `used_generation`, `idle_ms`, `ends_at`, `proved_at`) SELECT `id`, `user_id`, `device_id`, `user_agent`, `created_at`, `last_seen_at`, `expires_at`, `revoked_at`, `revoked_reason`, `used_generation`, `idle_ms`, `ends_at`, `proved_at` FROM `device_logins`;
--> statement-breakpoint
CREATE TABLE `__new_refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`device_login_id` text NOT NULL,
	`generation` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`rotated_at` integer,
	FOREIGN KEY (`device_login_id`) REFERENCES `__new_device_logins`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_refresh_tokens` (`hash`, `device_login_id`, `generation`, `issued_at`, `expires_at`, `rotated_at`) SELECT `hash`, `device_login_id`, `generation`, `issued_at`, `expires_at`, `rotated_at` FROM `refresh_tokens`;
--> statement-breakpoint
DROP TABLE `refresh_tokens`;
--> statement-breakpoint
DROP TABLE `device_logins`;
--> statement-breakpoint
ALTER TABLE `__new_device_logins` RENAME TO `device_logins`;
--> statement-breakpoint
ALTER TABLE `__new_refresh_tokens` RENAME TO `refresh_tokens`;
--> statement-breakpoint
CREATE INDEX `device_logins_user` ON `device_logins` (`user_id`,`created_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `refresh_tokens_login` ON `refresh_tokens` (`device_login_id`,`generation`);
--> statement-breakpoint
CREATE TABLE `__new_security_events` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`write_id` text NOT NULL,
	`type` text NOT NULL,
	`user_id` text,
	`actor_id` text,
	`actor_kind` text DEFAULT 'account' NOT NULL,
	`device_login_id` text,
	`network` text,
	`request_id` text,
	`occurred_at` integer NOT NULL,
	`detail` text,
	`patient_id` text,
	`route` text
);
--> statement-breakpoint
INSERT INTO `__new_security_events` (`sequence`, `write_id`, `type`, `user_id`, `actor_id`, `actor_kind`, `device_login_id`, `network`, `request_id`, `occurred_at`, `detail`, `patient_id`, `route`) SELECT `sequence`, `write_id`, `type`, `user_id`, `actor_id`, `actor_kind`, `device_login_id`, `network`, `request_id`, `occurred_at`, `detail`, `patient_id`, `route` FROM `security_events`;
--> statement-breakpoint
DROP TABLE `security_events`;
--> statement-breakpoint
ALTER TABLE `__new_security_events` RENAME TO `security_events`;
--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`occurred_at`) WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX `security_events_actor` ON `security_events` (`actor_id`,`occurred_at`) WHERE actor_id is not null;
--> statement-breakpoint
CREATE INDEX `security_events_patient` ON `security_events` (`patient_id`,`occurred_at`) WHERE patient_id is not null;
--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`occurred_at`) WHERE (type not in ('login', 'registered', 'email_code_sent', 'record_read') or detail is not null);
--> statement-breakpoint
CREATE UNIQUE INDEX `security_events_write` ON `security_events` (`write_id`) WHERE (type not in ('login', 'registered', 'email_code_sent', 'record_read') or detail is not null);
--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`occurred_at`,`sequence`,`type`);
--> statement-breakpoint
CREATE TABLE `__new_email_codes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`failures` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_email_codes` (`user_id`, `hash`, `created_at`, `expires_at`, `failures`) SELECT `user_id`, `hash`, `created_at`, `expires_at`, `failures` FROM `email_codes`;
--> statement-breakpoint
DROP TABLE `email_codes`;
--> statement-breakpoint
ALTER TABLE `__new_email_codes` RENAME TO `email_codes`;
--> statement-breakpoint
CREATE INDEX `email_codes_expiry` ON `email_codes` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_mail_outbox` (
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
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_mail_outbox` (`id`, `kind`, `user_id`, `language`, `created_at`, `expires_at`, `attempts`, `due_at`, `lease_id`, `sent_at`, `failed_at`, `last_error`) SELECT `id`, `kind`, `user_id`, `language`, `created_at`, `expires_at`, `attempts`, `due_at`, `lease_id`, `sent_at`, `failed_at`, `last_error` FROM `mail_outbox`;
--> statement-breakpoint
DROP TABLE `mail_outbox`;
--> statement-breakpoint
ALTER TABLE `__new_mail_outbox` RENAME TO `mail_outbox`;
--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`due_at`) WHERE sent_at is null and failed_at is null;
--> statement-breakpoint
CREATE INDEX `mail_outbox_expiry` ON `mail_outbox` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_user` ON `mail_outbox` (`user_id`);
--> statement-breakpoint
CREATE TABLE `__new_password_resets` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`proves_email` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_password_resets` (`hash`, `user_id`, `created_at`, `expires_at`, `used_at`, `proves_email`) SELECT `hash`, `user_id`, `created_at`, `expires_at`, `used_at`, `proves_email` FROM `password_resets`;
--> statement-breakpoint
DROP TABLE `password_resets`;
--> statement-breakpoint
ALTER TABLE `__new_password_resets` RENAME TO `password_resets`;
--> statement-breakpoint
CREATE INDEX `password_resets_user` ON `password_resets` (`user_id`);
--> statement-breakpoint
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_queues` (
	`doctor_id` text NOT NULL,
	`schedule_date` text NOT NULL,
	`session_id` text NOT NULL,
	`last_number` integer NOT NULL,
	PRIMARY KEY(`doctor_id`, `schedule_date`, `session_id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_queues` (`doctor_id`, `schedule_date`, `session_id`, `last_number`) SELECT `doctor_id`, `schedule_date`, `session_id`, `last_number` FROM `queues`;
--> statement-breakpoint
DROP TABLE `queues`;
--> statement-breakpoint
ALTER TABLE `__new_queues` RENAME TO `queues`;
--> statement-breakpoint
CREATE TABLE `__new_replays` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_replays` (`user_id`, `key`, `fingerprint`, `status`, `body`, `created_at`, `expires_at`) SELECT `user_id`, `key`, `fingerprint`, `status`, `body`, `created_at`, `expires_at` FROM `replays`;
--> statement-breakpoint
DROP TABLE `replays`;
--> statement-breakpoint
ALTER TABLE `__new_replays` RENAME TO `replays`;
--> statement-breakpoint
CREATE INDEX `replays_expiry` ON `replays` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`empty_at` integer NOT NULL,
	`blocked_until` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_throttles` (`key`, `empty_at`, `blocked_until`, `expires_at`) SELECT `key`, `empty_at`, `blocked_until`, `expires_at` FROM `throttles`;
--> statement-breakpoint
DROP TABLE `throttles`;
--> statement-breakpoint
ALTER TABLE `__new_throttles` RENAME TO `throttles`;
--> statement-breakpoint
CREATE INDEX `throttles_expiry` ON `throttles` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `__new_known_networks` (
	`account` text NOT NULL,
	`network` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`account`, `network`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_known_networks` (`account`, `network`, `expires_at`) SELECT `account`, `network`, `expires_at` FROM `known_networks`;
--> statement-breakpoint
DROP TABLE `known_networks`;
--> statement-breakpoint
ALTER TABLE `__new_known_networks` RENAME TO `known_networks`;
--> statement-breakpoint
CREATE INDEX `known_networks_expiry` ON `known_networks` (`expires_at`);
--> statement-breakpoint
-- The words of an owner stand in its row as well: they are found there when they are replaced.
ALTER TABLE `patients` ADD `words` text;
--> statement-breakpoint
ALTER TABLE `doctors` ADD `words` text;
--> statement-breakpoint
UPDATE `patients` SET `words` = (SELECT json_group_array(s.word) FROM `search_words` s WHERE s.owner_id = `patients`.`id` AND s.kind = 'person') WHERE EXISTS (SELECT 1 FROM `search_words` s WHERE s.owner_id = `patients`.`id` AND s.kind = 'person');
--> statement-breakpoint
UPDATE `doctors` SET `words` = (SELECT json_group_array(s.word) FROM `search_words` s WHERE s.owner_id = `doctors`.`id` AND s.kind = 'doctor') WHERE EXISTS (SELECT 1 FROM `search_words` s WHERE s.owner_id = `doctors`.`id` AND s.kind = 'doctor');
--> statement-breakpoint
CREATE TABLE `__new_search_words` (
	`kind` text NOT NULL,
	`word` text NOT NULL,
	`owner_id` text NOT NULL,
	PRIMARY KEY(`kind`, `word`, `owner_id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_search_words` (`kind`, `word`, `owner_id`) SELECT `kind`, `word`, `owner_id` FROM `search_words`;
--> statement-breakpoint
DROP TABLE `search_words`;
--> statement-breakpoint
ALTER TABLE `__new_search_words` RENAME TO `search_words`;
--> statement-breakpoint
CREATE UNIQUE INDEX `booking_events_version` ON `booking_events` (`booking_id`,`version`);--> statement-breakpoint
DROP INDEX `users_doctor`;--> statement-breakpoint
CREATE INDEX `users_doctor` ON `users` (`doctor_id`) WHERE doctor_id is not null;--> statement-breakpoint
DROP INDEX `patients_medical_record_number_unique`;--> statement-breakpoint
CREATE UNIQUE INDEX `patients_medical_record_number_unique` ON `patients` (`medical_record_number`) WHERE medical_record_number is not null;--> statement-breakpoint
ALTER TABLE `clinic` ADD `logo_tag` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `noticed_sequence` integer;--> statement-breakpoint
ALTER TABLE `clinic` ADD `reminded_at` integer;
--> statement-breakpoint
-- What unique indexes held, without an entry to write: the rules decide, and these hold against a mistake in them.
CREATE TRIGGER `bookings_seat` AFTER INSERT ON `bookings` WHEN NEW.status <> 'canceled' BEGIN
  SELECT RAISE(ABORT, 'a seat belongs to one live booking') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.doctor_id = NEW.doctor_id AND o.schedule_date = NEW.schedule_date
    AND o.starts_at = NEW.starts_at AND o.seat = NEW.seat
    AND o.status <> 'canceled' AND o.id <> NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER `bookings_seat_moved` AFTER UPDATE OF `doctor_id`, `schedule_date`, `starts_at`, `seat`, `status` ON `bookings`
WHEN NEW.status <> 'canceled' AND (OLD.status = 'canceled' OR NEW.doctor_id <> OLD.doctor_id OR NEW.schedule_date <> OLD.schedule_date OR NEW.starts_at <> OLD.starts_at OR NEW.seat <> OLD.seat) BEGIN
  SELECT RAISE(ABORT, 'a seat belongs to one live booking') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.doctor_id = NEW.doctor_id AND o.schedule_date = NEW.schedule_date
    AND o.starts_at = NEW.starts_at AND o.seat = NEW.seat
    AND o.status <> 'canceled' AND o.id <> NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER `bookings_patient_start` AFTER INSERT ON `bookings` WHEN NEW.status <> 'canceled' BEGIN
  SELECT RAISE(ABORT, 'a patient has one live booking at a start') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.patient_id = NEW.patient_id AND o.starts_at = NEW.starts_at
    AND o.status <> 'canceled' AND o.id <> NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER `bookings_patient_start_moved` AFTER UPDATE OF `patient_id`, `starts_at`, `status` ON `bookings`
WHEN NEW.status <> 'canceled' AND (OLD.status = 'canceled' OR NEW.patient_id <> OLD.patient_id OR NEW.starts_at <> OLD.starts_at) BEGIN
  SELECT RAISE(ABORT, 'a patient has one live booking at a start') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.patient_id = NEW.patient_id AND o.starts_at = NEW.starts_at
    AND o.status <> 'canceled' AND o.id <> NEW.id);
END;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
