import { assertMayManage } from '../../catalog/closures/actions.ts';
import { closureResource } from '../../catalog/closures/routes.ts';
import type { Mount } from '../../handler.ts';
import { resolveClosure } from './actions.ts';
import { ResolveClosure } from './contract.ts';

export const mountClosureResolving = (mount: Mount): void => {
  mount(ResolveClosure, {
    resource: closureResource,
    answer: (context, _rows, closure) => {
      assertMayManage(closure, context.actor);
      return resolveClosure(context, closure, context.body);
    },
  });
};
