import { useSignal } from '@preact/signals';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import look from '../ui/page.module.css';
import { own } from '../words/clinic.ts';
import style from './Clinic.module.css';
import { type Picture, shrinkPicture } from './picture.ts';

interface Props {
  /** The present logo's address. */
  now: string | null;
  /** The picture to save: a new one, null for none, undefined for the present one. */
  next: Picture | null | undefined;
  errors: readonly string[] | undefined;
  onNext: (next: Picture | null | undefined) => void;
}

/** The logo: the present one, the new one, and the controls to change it. */
export const Logo = ({ now, next, errors, onNext }: Props) => {
  const text = own.value.clinic;
  const isBad = useSignal(false);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return onNext(undefined);
    const picture = await shrinkPicture(file);
    isBad.value = picture === null;
    if (picture !== null) onNext(picture);
  };
  const shown = next === undefined ? now : (next?.url ?? null);
  return (
    <>
      <Field
        label={text.logo}
        hint={text.logoHint}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        errors={isBad.value ? [text.logoBad] : errors}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      {shown !== null && (
        <div class={look.line}>
          <img class={style.logo} src={shown} alt={next === undefined ? text.logoNow : text.logoNew} />
          <Button small onClick={() => onNext(now === null ? undefined : null)}>
            {text.logoRemove}
          </Button>
        </div>
      )}
    </>
  );
};
