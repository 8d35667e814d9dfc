ALTER TABLE `patient_imports` ADD `kind` text DEFAULT 'patients' NOT NULL;
--> statement-breakpoint
DROP TRIGGER `bookings_seat`;
--> statement-breakpoint
-- What unique indexes held, without an entry to write: the rules decide, and these hold against a mistake in them.
CREATE TRIGGER `bookings_seat` AFTER INSERT ON `bookings` WHEN NEW.channel <> 'imported' AND NEW.status <> 'canceled' BEGIN
  SELECT RAISE(ABORT, 'a seat belongs to one live booking') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.doctor_id = NEW.doctor_id AND o.schedule_date = NEW.schedule_date
    AND o.starts_at = NEW.starts_at AND o.seat = NEW.seat
    AND o.status <> 'canceled' AND o.id <> NEW.id AND o.channel <> 'imported');
END;
--> statement-breakpoint
DROP TRIGGER `bookings_seat_moved`;
--> statement-breakpoint
CREATE TRIGGER `bookings_seat_moved` AFTER UPDATE OF `doctor_id`, `schedule_date`, `starts_at`, `seat`, `status` ON `bookings`
WHEN NEW.channel <> 'imported' AND NEW.status <> 'canceled' AND (OLD.status = 'canceled' OR NEW.doctor_id <> OLD.doctor_id OR NEW.schedule_date <> OLD.schedule_date OR NEW.starts_at <> OLD.starts_at OR NEW.seat <> OLD.seat) BEGIN
  SELECT RAISE(ABORT, 'a seat belongs to one live booking') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.doctor_id = NEW.doctor_id AND o.schedule_date = NEW.schedule_date
    AND o.starts_at = NEW.starts_at AND o.seat = NEW.seat
    AND o.status <> 'canceled' AND o.id <> NEW.id AND o.channel <> 'imported');
END;
--> statement-breakpoint
DROP TRIGGER `bookings_patient_start`;
--> statement-breakpoint
CREATE TRIGGER `bookings_patient_start` AFTER INSERT ON `bookings` WHEN NEW.channel <> 'imported' AND NEW.status <> 'canceled' BEGIN
  SELECT RAISE(ABORT, 'a patient has one live booking at a start') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.patient_id = NEW.patient_id AND o.starts_at = NEW.starts_at
    AND o.status <> 'canceled' AND o.id <> NEW.id AND o.channel <> 'imported');
END;
--> statement-breakpoint
DROP TRIGGER `bookings_patient_start_moved`;
--> statement-breakpoint
CREATE TRIGGER `bookings_patient_start_moved` AFTER UPDATE OF `patient_id`, `starts_at`, `status` ON `bookings`
WHEN NEW.channel <> 'imported' AND NEW.status <> 'canceled' AND (OLD.status = 'canceled' OR NEW.patient_id <> OLD.patient_id OR NEW.starts_at <> OLD.starts_at) BEGIN
  SELECT RAISE(ABORT, 'a patient has one live booking at a start') WHERE EXISTS (SELECT 1 FROM `bookings` o WHERE o.patient_id = NEW.patient_id AND o.starts_at = NEW.starts_at
    AND o.status <> 'canceled' AND o.id <> NEW.id AND o.channel <> 'imported');
END;
--> statement-breakpoint
SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN 'foreign_key_check found violations' ELSE '$' END);
