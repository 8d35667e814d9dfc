import { mustEnrol } from '../api/enrolment.ts';
import { queries } from '../api/resource.ts';
import { words } from '../words/factors.ts';
import { Factors } from './Factors.tsx';

const goOn = (): void => {
  mustEnrol.value = false;
  void queries.invalidateQueries();
};

/** If the clinic requires a second factor for this role, it is set up before anything else. */
const Enrol = () => (
  <>
    <p>{words.value.enrolText}</p>
    <Factors onReady={goOn} />
  </>
);

export default Enrol;
