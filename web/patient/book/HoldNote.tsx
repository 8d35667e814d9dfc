import { useSignal } from '@preact/signals';
import { Clock } from 'lucide';
import { useEffect } from 'preact/hooks';
import { serviceNow } from '../../shared/clock.ts';
import { waitInWords } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import { words } from '../words.ts';

/** How long the slot is still held: by the minute, at the end by ten seconds. */
export const HoldNote = ({ until, again }: { until: number; again: () => void }) => {
  const w = words.value;
  const left = useSignal(until - serviceNow());
  useEffect(() => {
    const look = () => (left.value = until - serviceNow());
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.ceil(left.value / 1000);
  if (seconds <= 0)
    return (
      <Banner kind="warning" role="status" action={<Button onClick={again}>{w.holdAgain}</Button>}>
        {w.heldOver}
      </Banner>
    );
  const shown = seconds > 60 ? seconds : Math.ceil(seconds / 10) * 10;
  return <Banner icon={Clock}>{w.heldFor(waitInWords(shown))}</Banner>;
};
