import { useSignal } from '@preact/signals';
import type {
  ComponentChildren,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  PartialSelectHTMLAttributes,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { useId } from 'preact/hooks';
import { common } from '../words.ts';
import style from './Field.module.css';

export interface Own {
  label: string;
  hint?: ComponentChildren;
  /** The error of the field, from the service or the browser. */
  errors?: readonly string[] | undefined;
  optional?: boolean;
}

interface FrameProps extends Own {
  id: string;
  children: ComponentChildren;
}

/** The label, the hint and the error of a field with this id. */
export const Frame = ({ id, label, hint, errors, optional, children }: FrameProps) => (
  <div class={style.field}>
    <label class={style.label} id={`${id}-nama`} for={id}>
      {label} {optional && <span class={style.optional}>{common.value.optional}</span>}
    </label>
    {hint && (
      <p class={style.hint} id={`${id}-petunjuk`}>
        {hint}
      </p>
    )}
    {children}
    {errors && errors.length > 0 && (
      <p class={style.error} id={`${id}-galat`}>
        {errors.join(' ')}
      </p>
    )}
  </div>
);

interface Says extends Own {
  /** Whether a line below it, `${id}-kata`, has more text, and whether that is the error. */
  says?: boolean;
  isWrong?: boolean;
}

/** The ids that describe a field. */
export const described = (id: string, { hint, errors, says, isWrong }: Says) => {
  const isRefused = errors !== undefined && errors.length > 0;
  return {
    id,
    'aria-describedby':
      [hint && `${id}-petunjuk`, says && `${id}-kata`, isRefused && `${id}-galat`]
        .filter(Boolean)
        .join(' ') || undefined,
    'aria-invalid': isRefused || isWrong ? (true as const) : undefined,
  };
};

// Preact types inputs by their `type`; here the caller chooses it.
const asInput = (attributes: object) => attributes as InputHTMLAttributes<HTMLInputElement>;

type InputProps = Own &
  Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'class' | 'role'> & {
    inputRef?: Ref<HTMLInputElement>;
    /** A fixed prefix of the input, such as +62. */
    before?: string;
  };

export const Field = ({ label, hint, errors, optional, inputRef, before, ...input }: InputProps) => {
  const id = useId();
  const own = { label, hint, errors, optional };
  const typed = (
    <input class={style.input} ref={inputRef} {...asInput({ ...described(id, own), ...input })} />
  );
  return (
    <Frame id={id} {...own}>
      {before === undefined ? (
        typed
      ) : (
        <span class={style.joined}>
          <span class={style.before}>{before}</span>
          {typed}
        </span>
      )}
    </Frame>
  );
};

/** A password: it can be shown, pasted, and filled in by a password manager. */
export const PasswordField = ({ label, hint, errors, inputRef, ...input }: InputProps) => {
  const id = useId();
  const isShown = useSignal(false);
  const words = common.value;
  const own = { label, hint, errors };
  return (
    <Frame id={id} {...own}>
      <span class={style.joined}>
        <input
          class={style.input}
          ref={inputRef}
          {...asInput({ ...described(id, own), ...input, type: isShown.value ? 'text' : 'password' })}
          autocapitalize="none"
          spellcheck={false}
        />
        <button
          type="button"
          class={style.inside}
          aria-pressed={isShown.value}
          aria-label={`${isShown.value ? words.hide : words.show}: ${label}`}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {isShown.value ? words.hide : words.show}
        </button>
      </span>
    </Frame>
  );
};

type AreaProps = Own &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'label' | 'class'> & { counter?: string };

export const TextArea = ({ label, hint, errors, optional, counter, ...area }: AreaProps) => {
  const id = useId();
  const own = { label, hint, errors, optional };
  return (
    <Frame id={id} {...own}>
      <textarea class={style.area} rows={3} {...described(id, own)} {...area} />
      {counter && <p class={style.counter}>{counter}</p>}
    </Frame>
  );
};

type SelectProps = Own &
  Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'label' | 'class' | 'role'> & {
    children: ComponentChildren;
  };

export const Select = ({ label, hint, errors, optional, children, ...select }: SelectProps) => {
  const id = useId();
  const own = { label, hint, errors, optional };
  return (
    <Frame id={id} {...own}>
      <select class={style.input} {...({ ...described(id, own), ...select } as SelectHTMLAttributes)}>
        {children}
      </select>
    </Frame>
  );
};

type CheckProps = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'class' | 'type' | 'role'> & {
  label: string;
};

export const Check = ({ label, ...input }: CheckProps) => (
  <label class={style.check}>
    <input {...asInput({ ...input, type: 'checkbox' })} />
    <span>{label}</span>
  </label>
);
