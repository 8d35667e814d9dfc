import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { words } from '../words.ts';
import { ClinicForm } from './ClinicForm.tsx';

/** What the clinic is called, how it looks, and when patients may book. */
const Klinik = () => {
  const { data, error, refetch, dataUpdatedAt } = useRead({
    queryKey: ['atur', 'klinik'],
    queryFn: async () => (await take(api.v1.admin.clinic.$get())).data,
  }).value;
  return (
    <Page title={words.value.nav.klinik}>
      <Freshness at={dataUpdatedAt || undefined} />
      <div class={look.body}>
        {data === undefined ? (
          error === null ? (
            <Skeleton rows={4} height={90} />
          ) : (
            <ReadFailure failure={error} again={refetch} />
          )
        ) : (
          <ClinicForm clinic={data} />
        )}
      </div>
    </Page>
  );
};

export default Klinik;
