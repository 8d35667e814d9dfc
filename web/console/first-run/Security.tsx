import { Factors } from '../../shared/factors/Factors.tsx';
import { missingChanged } from '../data/setup.ts';

/** The second factor of the admin's own account; after the first one the next step follows. */
const Security = ({ onDone }: { onDone: () => void }) => (
  <Factors
    onReady={() => {
      void missingChanged();
      onDone();
    }}
  />
);

export default Security;
