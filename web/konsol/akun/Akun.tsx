import { person } from '../../shared/api/session.ts';
import { Factors } from '../../shared/factors/Factors.tsx';
import { Freshness } from '../../shared/ui/States.tsx';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { words } from '../words.ts';

/** The own account: what a login asks for beside the password. */
const Akun = () => (
  <Page title={words.value.security}>
    <Freshness />
    <div class={look.body}>
      <p class={look.soft}>{person.value?.user.email}</p>
      <Factors />
    </div>
  </Page>
);

export default Akun;
