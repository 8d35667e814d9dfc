import { Factors } from '../../shared/factors/Factors.tsx';
import { Reauthentication } from '../../shared/ui/reauth.tsx';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';

const FactorsPage = () => (
  <Screen title={words.value.factors} back="/pasien/akun">
    <NeedsLogin>
      <Factors />
      <Reauthentication />
    </NeedsLogin>
  </Screen>
);

export default FactorsPage;
