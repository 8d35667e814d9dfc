import { isLimit } from '../../../src/modules/catalog/slots/limit-rules.ts';
import { Refused } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import { desk } from '../words/desk.ts';
import { whyNot } from './Shown.tsx';

/** After a limit of the session refused a booking: the desk may ignore the limit. */
export const PassLimit = ({
  failure,
  busy,
  onPass,
}: {
  failure: Error | null;
  busy: boolean;
  onPass: () => void;
}) => {
  const closed = failure instanceof Refused ? failure.as('slot_unavailable') : null;
  if (!isLimit(closed?.reason)) return null;
  const text = desk.value.limit;
  return (
    <Banner kind="warning">
      <p>{text.ask}</p>
      <Button small busy={busy} why={whyNot()} onClick={onPass}>
        {text.pass}
      </Button>
    </Banner>
  );
};
