import { lazyOr } from '../../shared/lazy.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';

const later = lazyOr(({ again }) => (
  <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
));

// Parts that few people see, or see once: loaded when shown.
export const Security = later(() => import('./Security.tsx'));
export const Enrolment = later(() => import('../account/Enrolment.tsx'));
