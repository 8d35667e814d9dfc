import type { IconNode } from 'lucide';
import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentChildren,
  PartialAnchorHTMLAttributes,
} from 'preact';
import { useId } from 'preact/hooks';
import style from './Button.module.css';
import { Icon } from './Icon.tsx';

export type Look = 'primary' | 'plain' | 'danger' | 'quiet';

interface Own {
  look?: Look;
  icon?: IconNode;
  wide?: boolean;
  small?: boolean;
  children?: ComponentChildren;
}

const joinClasses = ({ look = 'plain', wide, small }: Own, own?: string): string =>
  [style.button, style[look], wide && style.wide, small && style.small, own].filter(Boolean).join(' ');

type ButtonProps = Own &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'class'> & {
    class?: string;
    /** Its action is running: it stays focusable in its place, and does nothing. */
    busy?: boolean;
    /** The reason why it is disabled: it stays focusable, and announces the reason. */
    why?: string | null | false;
  };

export const Button = ({
  look,
  icon,
  wide,
  small,
  busy,
  why,
  children,
  class: own,
  onClick,
  ...rest
}: ButtonProps) => {
  const isHeld = busy === true || Boolean(why);
  const reason = useId();
  const id = why ? reason : undefined;
  return (
    <>
      <button
        type="button"
        {...rest}
        class={joinClasses({ look, wide, small }, own)}
        aria-disabled={isHeld || rest['aria-disabled'] || undefined}
        aria-busy={busy || undefined}
        aria-describedby={id ?? rest['aria-describedby']}
        onClick={(event) => {
          if (isHeld) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {icon && <Icon of={icon} />}
        {children}
      </button>
      {why && (
        <span id={id} class={style.why}>
          {why}
        </span>
      )}
    </>
  );
};

type LinkProps = Own &
  Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, 'icon' | 'class' | 'role'> & {
    class?: string;
    href: string;
  };

/** A link that looks like a button: it goes somewhere. */
export const ButtonLink = ({ look, icon, wide, small, children, class: own, ...rest }: LinkProps) => (
  <a {...(rest as AnchorHTMLAttributes)} class={joinClasses({ look, wide, small }, own)}>
    {icon && <Icon of={icon} />}
    {children}
  </a>
);
