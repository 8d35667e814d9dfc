import { mountPages } from './core/http/pages/routes.ts';
import { respond } from './core/http/respond.ts';
import type { MountDeployment } from './modules/operators/needs.ts';
import { mountOperators } from './modules/operators/routes.ts';

/** The page of the operators, and the program that it opens. */
const pages = { operator: 'operator' };

/** What a deployment of many clinics answers under the hosts that are no clinic's, on both runtimes alike. */
export const mountDeployment: MountDeployment = (serve, { publicFile, assertReady, ...operators }) => {
  serve('GET', '/health', (c) => respond(c, { status: 200, data: { name: 'janji' } }));
  serve('GET', '/ready', async (c) => {
    await assertReady();
    return respond(c, { status: 200, data: { directory: 'ready' } });
  });
  mountOperators(serve, operators);
  mountPages(serve, () => publicFile, pages);
};
