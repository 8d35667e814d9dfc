-- What waits for a receiver that was removed: nothing settles it, and its bookings would never be archived.
DELETE FROM `webhook_deliveries` WHERE `state` = 'pending' AND `endpoint_id` IN (SELECT `id` FROM `webhook_endpoints` WHERE `retired_at` IS NOT NULL);
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
