import Enrol from '../../shared/factors/Enrol.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { words as factors } from '../../shared/words/factors.ts';
import { Reauthentication } from '../login/Reauthentication.tsx';
import { leave } from '../shell/idle.ts';
import { words } from '../words.ts';
import style from './Account.module.css';

/** Shown instead of the console until the second factor that the clinic requires is set up. */
const Enrolment = () => (
  <main class={style.alone}>
    <h1>{factors.value.enrolTitle}</h1>
    <Enrol />
    <div>
      <Button onClick={() => leave(false)}>{words.value.logOut}</Button>
    </div>
    <Reauthentication />
  </main>
);

export default Enrolment;
