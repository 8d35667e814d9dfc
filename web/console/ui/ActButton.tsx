import { online } from '../../shared/online.ts';
import { Button, type Look } from '../../shared/ui/Button.tsx';
import { common } from '../../shared/words.ts';

/** The reason is shown once on the page: in the bar that says that there is no connection. */
export const offlineId = 'luring';

interface Props {
  look?: Look;
  busy?: boolean;
  onPress: () => unknown;
  children: preact.ComponentChildren;
  label?: string;
  tabIndex?: number;
  id?: string;
  class?: string;
  stop?: string;
}

/** A button in a row: small, and disabled with its reason while there is no connection. */
export const ActButton = ({
  look,
  busy,
  onPress,
  children,
  label,
  tabIndex,
  id,
  class: own,
  stop,
}: Props) => {
  const isOff = !online.value;
  return (
    <Button
      id={id}
      class={own}
      small
      look={look}
      busy={busy}
      aria-label={label}
      tabIndex={tabIndex}
      data-stop={stop}
      aria-disabled={isOff || undefined}
      aria-describedby={isOff ? offlineId : undefined}
      title={isOff ? common.value.offlineAction : undefined}
      onClick={({ detail }) => {
        // The second click of a double click is ignored: another row or patient may be under the pointer by then. Key
        // presses count as zero clicks.
        if (!isOff && detail < 2) onPress();
      }}
    >
      {children}
    </Button>
  );
};
