DROP INDEX `booking_events_time`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `approval` text DEFAULT 'manual' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `staff_notes` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `overbooked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `first_called_at` integer;
--> statement-breakpoint
-- Data: what was written before these columns and members existed.
UPDATE `bookings` SET `first_called_at` = coalesce((SELECT min(e.occurred_at) FROM `booking_events` e WHERE e.booking_id = `bookings`.id AND e.type = 'booking.called' AND e.version > coalesce((SELECT max(m.version) FROM `booking_events` m WHERE m.booking_id = e.booking_id AND m.type = 'booking.rescheduled'), 0)), `called_at`) WHERE `called_at` IS NOT NULL;--> statement-breakpoint
UPDATE `booking_events` SET `payload` = json_insert(`payload`, '$.overbooked', json('false'), '$.actor_role', `actor_role`, '$.previous', json('null')) WHERE json_type(`payload`, '$.actor_role') IS NULL;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
