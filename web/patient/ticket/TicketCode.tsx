import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../words.ts';
import style from './Ticket.module.css';

type Drawing = typeof import('../../shared/ui/QrCode.tsx');

/** The booking code for a scanner. Its place is kept while it is loaded; without it the code in letters is on the ticket. */
export const TicketCode = ({ code }: { code: string }) => {
  const w = words.value;
  const drawing = useSignal<Drawing | null>(null);
  const isLost = useSignal(false);
  useEffect(() => {
    import('../../shared/ui/QrCode.tsx').then(
      (loaded) => (drawing.value = loaded),
      () => (isLost.value = true),
    );
  }, []);
  if (isLost.value) return null;
  return (
    <section class={style.scanned}>
      <div class={style.square}>
        {drawing.value !== null && <drawing.value.QrCode text={code} label={w.qrOf(code)} />}
      </div>
      <p class={style.small}>{w.showQr}</p>
    </section>
  );
};
