import type { BackupState } from '../../core/deps.ts';
import type { ClinicEntry } from '../clinics/queries.ts';

/** What an operator sees of a clinic beside its line in the directory: figures, and nobody's data. */
export interface ClinicFigures {
  /** The size of its database; null where that is unknown. */
  bytes: number | null;
  /** Its bookings of today that take a seat, or did; null while the clinic is closed or cannot be opened. */
  bookingsToday: number | null;
  /** Requests answered with 5xx since the service was started; null where nobody counts them. */
  failures: number | null;
  /** Null where this deployment makes no backups itself. */
  backup: BackupState | null;
}

/** A clinic as an operator describes it. */
export interface DescribedClinic {
  name: string;
  hosts: readonly string[];
  timeZone?: string | undefined;
  admin?: string | undefined;
}

/** What the runtime does for operators: it has the databases. */
export interface Premises {
  look: (clinic: ClinicEntry) => Promise<ClinicFigures>;
  /** Makes a clinic, which is open then, and the link of its first admin. */
  add: (clinic: DescribedClinic) => Promise<{ id: string; link: string | null }>;
  /** The zone of a clinic that names none. */
  timeZone: string;
  /** Called after the directory was changed, so that this process knows it at once. */
  changed: (clinicId: string) => void;
}
