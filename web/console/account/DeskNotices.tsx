import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Check } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { words } from '../words.ts';

const queryKey = ['notices'];

const readChoices = async () => (await take(api.v1.auth.notices.$get({}))).data;

/** Whether a staff member gets notices when patients cancel, move or answer for visits of today and tomorrow. */
export const DeskNotices = () => {
  const w = words.value;
  const { data } = useRead({ queryKey, queryFn: readChoices }).value;
  const save = useAttempt(async (_key, desk: boolean) => {
    const changed = await take(api.v1.auth.notices.$patch({ json: { desk } }));
    queries.setQueryData(queryKey, changed.data);
  });
  if (data === undefined) return null;
  return (
    <section>
      <h2>{w.deskNotices}</h2>
      <FormFailure failure={save.failure.value} />
      <Check
        label={w.deskNoticesText}
        checked={data.desk}
        disabled={save.busy.value}
        onChange={(event) => void save.run(event.currentTarget.checked)}
      />
      {data.channels.length === 0 && <p class={look.soft}>{w.deskNoticesNone}</p>}
    </section>
  );
};
