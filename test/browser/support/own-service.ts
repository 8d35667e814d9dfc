import { type Server, startNode, startWorker, temporaryFolder } from '../../support/servers.ts';
import { settings } from './clinic.ts';
import type { Stage } from './stage.ts';

type Given = Readonly<Record<string, string>>;

/** A service of one scenario, on the runtime of its stage, for settings that are known only once it plays. */
export const startOwn = (
  { runtime }: Stage,
  given: Given | ((port: number) => Given),
  folder = temporaryFolder(),
): Promise<Server> => {
  const all = (port: number) => ({ ...settings, ...(typeof given === 'function' ? given(port) : given) });
  return runtime === 'workers' ? startWorker(folder, all) : startNode(folder, all);
};

/** The due work, at once: on Node the service does it by itself soon after its start. */
export const doDueWork = async ({ runtime }: Stage, url: string): Promise<void> => {
  if (runtime === 'workers') await fetch(`${url}/cdn-cgi/local/scheduled`);
};
