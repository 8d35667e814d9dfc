import { mustEnrol } from '../api/enrolment.ts';
import { queries } from '../api/resource.ts';
import { words } from '../words/faktor.ts';
import { Factors } from './Factors.tsx';

const goOn = (): void => {
  mustEnrol.value = false;
  void queries.invalidateQueries();
};

/** Where the clinic asks this role for a second factor: it is set up before anything else, and then all goes on. */
const Enrol = () => (
  <>
    <p>{words.value.enrolText}</p>
    <Factors onReady={goOn} />
  </>
);

export default Enrol;
