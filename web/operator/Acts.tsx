import { useResource } from '../shared/api/resource.ts';
import { Pending } from '../shared/ui/States.tsx';
import style from './Clinics.module.css';
import { type Act, readActs } from './data.ts';
import { formatWhen } from './when.ts';
import { words } from './words.ts';

const line = ({ operator, act, clinic_name }: Act): string =>
  [operator, words.value.act[act], clinic_name].filter(Boolean).join(' ');

/** What operators did last. */
export const Acts = () => {
  const { data, error, refetch } = useResource({ queryKey: ['acts'], queryFn: readActs }).value;
  return (
    <section class={style.section}>
      <h2>{words.value.acts}</h2>
      {data === undefined && <Pending rows={2} height={24} error={error} again={refetch} />}
      <ul class={style.acts}>
        {data?.data.map((act) => (
          <li key={act.id}>
            <span class={style.soft}>{formatWhen(act.at)}</span> {line(act)}
          </li>
        ))}
      </ul>
    </section>
  );
};
