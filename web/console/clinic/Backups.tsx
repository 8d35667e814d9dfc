import { TriangleAlert } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Banner } from '../../shared/ui/States.tsx';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { shortDateWithin } from '../ui/when.ts';
import { own } from '../words/clinic.ts';

/** The state of the service's scheduled backups, in one line; problems are emphasized. */
export const Backups = () => {
  const { data } = useRead({
    queryKey: ['atur', 'cadangan'],
    queryFn: async () => (await take(api.v1.admin.service.$get())).data,
  }).value;
  const text = own.value.backups;
  if (data === undefined) return null;
  if (data.backups === null) return <p class={look.soft}>{text.none}</p>;
  const { state, last_good_at: at } = data.backups;
  const last =
    at === null ? text.noneYet : text.last(`${shortDateWithin(dateOf(at), today())} ${timeOf(at)}`);
  if (state === 'good' || state === 'none_yet') return <p class={look.soft}>{last}</p>;
  return (
    <Banner kind="warning" icon={TriangleAlert}>
      {text[state]} {last}
    </Banner>
  );
};
