import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import { toFailure } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { paper, withName } from '../../shared/slip/paper.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Sentence } from '../../shared/ui/States.tsx';
import { clinicName } from '../data/clinic.ts';
import { ActButton } from '../ui/ActButton.tsx';
import { words } from '../words.ts';
import style from './SlipButton.module.css';

interface Props {
  id: string;
  /** Whose slip it is, for a button that is one of many. */
  name?: string;
  /** Shows only a picture, in a row. */
  isSmall?: boolean;
  tabIndex?: number;
}

/** Prints the slip of a booking by one press; there is none on a device without a printer of slips. */
export const SlipButton = ({ id, name, isSmall, tabIndex }: Props) => {
  const busy = useSignal(false);
  const failure = useSignal<Error | null>(null);
  const width = paper.value;
  if (width === null) return null;
  const text = words.value.slip;
  const press = async (): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    failure.value = null;
    try {
      const [{ data }, { printSlip }] = await Promise.all([
        take(api.v1.bookings[':id'].$get({ param: { id } })),
        import('../../shared/slip/print.tsx'),
      ]);
      await printSlip(
        { ...data, clinic: clinicName.peek(), name: withName.peek() ? data.patient.name : null },
        width,
      );
    } catch (error) {
      failure.value = toFailure(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <ActButton
        class={isSmall ? style.small : undefined}
        busy={busy.value}
        label={name === undefined ? text.print : text.printFor(name)}
        tabIndex={tabIndex}
        stop={isSmall ? 'slip' : undefined}
        onPress={press}
      >
        <Icon of={Printer} size={18} />
        {!isSmall && text.print}
      </ActButton>
      {failure.value !== null && (
        <span role="alert" class={style.failure}>
          <Sentence failure={failure.value} />
        </span>
      )}
    </>
  );
};
