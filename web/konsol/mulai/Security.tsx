import { queries } from '../../shared/api/resource.ts';
import { Factors } from '../../shared/factors/Factors.tsx';

/** The second factor of the own account; with its first one the next step follows. */
const Security = ({ onDone }: { onDone: () => void }) => (
  <Factors
    onReady={() => {
      void queries.invalidateQueries({ queryKey: ['atur', 'belum'] });
      onDone();
    }}
  />
);

export default Security;
