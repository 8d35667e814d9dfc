import Enrol from '../../shared/factors/Enrol.tsx';
import { Reauthentication } from '../../shared/ui/reauth.tsx';
import { words } from '../../shared/words/factors.ts';
import { Screen } from '../screen.tsx';

/** In place of every screen, where the clinic asks patients for a second factor and this account has none. */
const Enrolment = () => (
  <Screen title={words.value.enrolTitle}>
    <Enrol />
    <Reauthentication />
  </Screen>
);

export default Enrolment;
