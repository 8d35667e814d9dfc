import type { Clinic } from '../../core/clinic/row.ts';
import type { Db } from '../../core/db/db.ts';
import type { Hasher } from '../../core/deps.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import { seedDemo } from '../../modules/demo/demo.ts';
import { isOpenToOthers, type NodeSettings } from './settings.ts';

/** Never serve demo data where it could be mistaken for a real clinic's. */
const assertDemoAllowed = (settings: NodeSettings): void => {
  if (settings.DEMO === 'on') return;
  if (isOpenToOthers(settings))
    throw new SettingError(
      'DATABASE_URL holds the demo clinic with public passwords: use another database, or set DEMO to on.',
    );
};

/** Fills an empty database with the demo clinic if requested; true if the database contains it. */
export const ensureDemo = async (
  settings: NodeSettings,
  { demoSince }: Clinic,
  { db, path }: { db: Db; path: string | null },
  hasher: Hasher,
): Promise<boolean> => {
  const isWanted =
    settings.DEMO === 'on' || (settings.DEMO === undefined && path !== null && !isOpenToOthers(settings));
  const holdsDemo = demoSince !== null || (isWanted && (await seedDemo(db, hasher, Date.now())));
  if (holdsDemo) assertDemoAllowed(settings);
  return holdsDemo;
};
