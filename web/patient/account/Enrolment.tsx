import Enrol from '../../shared/factors/Enrol.tsx';
import { Reauthentication } from '../../shared/ui/reauth.tsx';
import { words } from '../../shared/words/factors.ts';
import { Screen } from '../screen.tsx';

/** Instead of every screen, if the clinic requires a second factor of patients and this account has none. */
const Enrolment = () => (
  <Screen title={words.value.enrolTitle}>
    <Enrol />
    <Reauthentication />
  </Screen>
);

export default Enrolment;
