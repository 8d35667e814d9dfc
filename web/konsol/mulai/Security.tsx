import { Factors } from '../../shared/factors/Factors.tsx';
import { missingChanged } from '../data/setup.ts';

/** The second factor of the own account; with its first one the next step follows. */
const Security = ({ onDone }: { onDone: () => void }) => (
  <Factors
    onReady={() => {
      void missingChanged();
      onDone();
    }}
  />
);

export default Security;
