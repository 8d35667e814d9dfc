import type { Deps } from './core/deps.ts';
import type { Serve } from './core/http/observed.ts';
import { mountPages } from './core/http/pages/routes.ts';
import type { OperatorNeeds } from './modules/operators/needs.ts';
import { mountOperators } from './modules/operators/routes.ts';

/** The page of the operators, and the program that it opens. */
const pages = { operator: 'operator' };

/** What a deployment of many clinics answers under the hosts that are no clinic's, on both runtimes alike. */
export const mountDeployment = (
  serve: Serve,
  { publicFile, ...operators }: OperatorNeeds & { publicFile: NonNullable<Deps['publicFile']> },
): void => {
  mountOperators(serve, operators);
  mountPages(serve, () => publicFile, pages);
};
