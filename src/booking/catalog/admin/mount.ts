import type { Mount } from '../../../http/mount.ts';
import { mountClosuresAdmin } from './closures/routes.ts';
import { mountDoctorsAdmin } from './doctors/routes.ts';
import { mountSchedulesAdmin } from './schedules/routes.ts';
import { mountSessionsAdmin } from './sessions/routes.ts';

/** Everything under /v1/admin by which the catalog is kept. */
export const mountCatalogAdmin = (mount: Mount): void => {
  mountDoctorsAdmin(mount);
  mountSessionsAdmin(mount);
  mountSchedulesAdmin(mount);
  mountClosuresAdmin(mount);
};
