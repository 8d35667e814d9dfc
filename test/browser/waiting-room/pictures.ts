import type { Camera } from '../support/camera.ts';
import type { Stage } from '../support/stage.ts';
import { type LookName, looks, openLook, sizes } from './looks.ts';

/** The states that the docs show. */
const shown: Partial<Record<LookName, string>> = {
  called: 'layar',
  late: 'layar-terputus',
  lost: 'layar-putus-lama',
};

export const picturesOfTheWaitingRoom = async (
  stage: Stage,
  { picture, television }: Camera,
): Promise<void> => {
  for (const name of Object.keys(looks) as LookName[]) {
    const { page, close } = await openLook(stage, name);
    await page.setViewportSize(sizes['1280']);
    await television(page, shown[name] ?? `layar-${name}`, shown[name] !== undefined);
    await close();
  }
  const { page, close } = await openLook(stage, 'called');
  await page.setViewportSize(sizes['1280']);
  await page.goto(`${stage.url}/layar/?atur=1`);
  await page.locator('.choice').nth(1).waitFor();
  await picture(page, 'layar-atur');
  await close();
};
