import { useSignal } from '@preact/signals';
import { paper, setPaper, widths } from '../shared/slip/paper.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Field, Select } from '../shared/ui/Field.tsx';
import style from './App.module.css';
import { Camera } from './Camera.tsx';
import { begin, device, keyIn, pair } from './device.ts';
import { Screen } from './Screen.tsx';
import { words } from './words.ts';

/** A tablet without a key: it takes one from the console, by the camera or as text. */
export const Unpaired = () => {
  const text = words.value;
  const typed = useSignal('');
  const refusal = useSignal<string | null>(null);
  const hasCamera = useSignal(true);
  const busy = useSignal(false);
  const attempt = async (key: string | null): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    try {
      if (key === null || !(await pair(key))) refusal.value = words.peek().pairRefused;
    } catch {
      refusal.value = words.peek().unreached;
    } finally {
      busy.value = false;
    }
  };
  const seen = (code: string): void => {
    const key = keyIn(code);
    if (key !== null) void attempt(key);
  };
  return (
    <Screen title={text.pair}>
      {device.value.isEnded && <p class={style.large}>{text.pairEnded}</p>}
      <p class={style.large}>{text.pairText}</p>
      {hasCamera.value && <Camera onText={seen} onLost={() => (hasCamera.value = false)} />}
      <form
        class={style.form}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(keyIn(typed.peek()));
        }}
      >
        <Field
          label={text.key}
          type="password"
          autocomplete="off"
          required
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <p role="alert" class={style.wrong}>
          {refusal.value}
        </p>
        <Button type="submit" look="primary" wide busy={busy.value}>
          {text.pairVerb}
        </Button>
      </form>
    </Screen>
  );
};

/** A tablet that was paired a moment ago: its printer, then the start. */
export const Paired = () => {
  const text = words.value;
  return (
    <Screen title={text.paired}>
      <p class={style.large}>{text.pairedText}</p>
      <div class={style.form}>
        <Select
          label={text.paper}
          value={paper.value === null ? '' : String(paper.value)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setPaper(widths.find((one) => String(one) === value) ?? null);
          }}
        >
          <option value="">{text.noPaper}</option>
          {widths.map((one) => (
            <option key={one} value={String(one)}>
              {text.width(one)}
            </option>
          ))}
        </Select>
        <Button look="primary" wide onClick={begin}>
          {text.start}
        </Button>
      </div>
    </Screen>
  );
};

/** Patients cannot check in here now: the clinic has turned it off. */
export const Closed = () => (
  <Screen title={words.value.closed}>
    <p class={style.large}>{words.value.closedText}</p>
  </Screen>
);
