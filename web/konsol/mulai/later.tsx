import { lazyOr } from '../../shared/lazy.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';

const later = lazyOr(({ again }) => (
  <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
));

// What few have to see, or see once: loaded when it is shown.
export const Security = later(() => import('./Security.tsx'));
export const Enrolment = later(() => import('../akun/Enrolment.tsx'));
