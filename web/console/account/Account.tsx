import { person } from '../../shared/api/session.ts';
import { Factors, readFactors } from '../../shared/factors/Factors.tsx';
import { useRead } from '../data/read.ts';
import { missingChanged } from '../data/setup.ts';
import { Page } from '../shell/Page.tsx';
import { SlipSettings } from '../slip/SlipSettings.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { words } from '../words.ts';
import { DeskNotices } from './DeskNotices.tsx';

/** The person's own account: its second factors, its notices, and the printer at this device. */
const Account = () => (
  <Page title={words.value.security}>
    <Age of={useRead({ queryKey: ['factors'], queryFn: readFactors }).value} />
    <div class={look.body}>
      <p class={look.soft}>{person.value?.user.email}</p>
      <Factors onReady={() => void missingChanged()} />
      <DeskNotices />
      <SlipSettings />
    </div>
  </Page>
);

export default Account;
