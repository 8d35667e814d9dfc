ALTER TABLE `device_logins` ADD `used_generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clinic` ADD `clinic_id` text;--> statement-breakpoint
ALTER TABLE `clinic` ADD `legacy_keys_until` integer;
--> statement-breakpoint
UPDATE `clinic` SET `legacy_keys_until` = (unixepoch() + 2678400) * 1000;--> statement-breakpoint
UPDATE `users` SET `password_hash` = '$argon2id$v=19$m=19456,t=2,p=1$' || substr(hex(randomblob(11)), 1, 21) || 'A$' || substr(hex(randomblob(21)), 1, 42) || 'A' WHERE `password_hash` = '$argon2id$v=19$m=19456,t=2,p=1$kwhetYmtVszqPSZzlU9Slg$T7CgSOZI7aRB5+oLQzubaD32Ja5X1rDdbGPZLQNWF1Q';
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
