import { useSignal } from '@preact/signals';
import { Ellipsis } from 'lucide';
import { useRef } from 'preact/hooks';
import { Icon } from '../../shared/ui/Icon.tsx';
import { type Booking, listActions, listFurther } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { words } from '../words.ts';
import { ActButton } from './ActButton.tsx';
import { perform } from './Ask.tsx';
import style from './Further.module.css';

interface Props {
  booking: Booking;
  tabIndex?: number;
  onOpen?: () => void;
}

/** Everything else that may be done to a booking. */
export const Further = ({ booking, tabIndex, onOpen }: Props) => {
  const text = words.value;
  const isOpen = useSignal(false);
  const box = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (box.current) box.current.open = false;
  };
  const closeAndReturn = (): void => {
    close();
    box.current?.querySelector('summary')?.focus();
  };
  const label = text.day.more(booking.patient.name);
  return (
    <details
      ref={box}
      class={style.box}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen.peek()) return;
        event.stopPropagation();
        closeAndReturn();
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget))
          close();
      }}
    >
      <summary class={style.dots} aria-label={label} data-stop="more" tabIndex={tabIndex}>
        <Icon of={Ellipsis} size={18} />
      </summary>
      {isOpen.value && (
        <div class={style.menu} data-menu>
          {listFurther(booking, now.value).map((verb) => (
            <ActButton
              key={verb}
              look={verb === 'no-show' || verb === 'reject' || verb === 'cancel' ? 'danger' : 'plain'}
              class={style.item}
              onPress={() => {
                closeAndReturn();
                perform(booking, verb);
              }}
            >
              {verb === 'call' && booking.visit?.status === 'called' ? text.callAgain : text.verbs[verb]}
            </ActButton>
          ))}
          {listActions(booking, now.value).has('reschedule') && (
            <a class={style.item} href={`/konsol/pindah/${booking.id}`}>
              {text.reschedule}
            </a>
          )}
          {booking.status !== 'canceled' && (
            <a class={style.item} href={`/konsol/kontrol/${booking.id}`}>
              {text.followUp}
            </a>
          )}
          {onOpen && (
            <button
              type="button"
              class={style.item}
              onClick={() => {
                close();
                onOpen();
              }}
            >
              {text.day.open}
            </button>
          )}
        </div>
      )}
    </details>
  );
};
