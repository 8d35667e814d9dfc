import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { words } from '../words.ts';
import { Backups } from './Backups.tsx';
import { ClinicForm } from './ClinicForm.tsx';

/** The clinic's name, appearance, and booking rules. */
const Clinic = () => {
  const clinic = useRead({
    queryKey: ['atur', 'klinik'],
    queryFn: async () => (await take(api.v1.admin.clinic.$get())).data,
  }).value;
  return (
    <Page title={words.value.nav.klinik}>
      <Age of={clinic} />
      <div class={look.body}>
        <Backups />
        <Shown of={clinic} height={90}>
          {(data) => <ClinicForm clinic={data} />}
        </Shown>
      </div>
    </Page>
  );
};

export default Clinic;
