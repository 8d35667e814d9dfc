import { useSignal } from '@preact/signals';
import { Button } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { type Picture, squarePhoto } from '../clinic/picture.ts';
import look from '../ui/page.module.css';
import { pageWords } from '../words/doctor-page.ts';
import style from './DoctorPage.module.css';

interface Props {
  /** The present photo, in base64. */
  now: string | null;
  /** The photo to save: a new one, null for none, undefined for the present one. */
  next: Picture | null | undefined;
  errors: readonly string[] | undefined;
  onNext: (next: Picture | null | undefined) => void;
}

/** The type of a stored photo, by its first letter in base64. */
const types: Readonly<Record<string, string>> = { i: 'image/png', U: 'image/webp', '/': 'image/jpeg' };

/** The photo: the present one, the new one, and the controls to change it. */
export const Photo = ({ now, next, errors, onNext }: Props) => {
  const text = pageWords.value;
  const isBad = useSignal(false);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return onNext(undefined);
    const picture = await squarePhoto(file);
    isBad.value = picture === null;
    if (picture !== null) onNext(picture);
  };
  const present = now === null ? null : `data:${types[now.charAt(0)]};base64,${now}`;
  const shown = next === undefined ? present : (next?.url ?? null);
  return (
    <>
      <Field
        label={text.photo}
        hint={text.photoHint}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        errors={isBad.value ? [text.photoBad] : errors}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      {shown !== null && (
        <div class={look.line}>
          <img class={style.photo} src={shown} alt={next === undefined ? text.photoNow : text.photoNew} />
          <Button small onClick={() => onNext(now === null ? undefined : null)}>
            {text.photoRemove}
          </Button>
        </div>
      )}
    </>
  );
};
