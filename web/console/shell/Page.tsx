import { useSignal } from '@preact/signals';
import { ChevronDown, Search, ShieldCheck, UserPlus, Wifi, WifiOff } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { person } from '../../shared/api/session.ts';
import { online } from '../../shared/online.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { staysOpen } from '../../shared/ui/esc.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Preferences } from '../../shared/ui/Preferences.tsx';
import { clinicLogo, clinicName, isDesk, role } from '../data/clinic.ts';
import { useLostFocus } from '../ui/lostFocus.ts';
import { words } from '../words.ts';
import { leave } from './idle.ts';
import style from './Page.module.css';

interface SearchProps {
  value: string;
  onSearch: (text: string) => void;
  onEnter?: (text: string) => void;
}

/** The typed value survives re-renders; the page's own value replaces it when that changes. */
const SearchField = ({ value, onSearch, onEnter }: SearchProps) => {
  const input = useRef<HTMLInputElement>(null);
  const typed = useSignal(value);
  useLayoutEffect(() => {
    // While a person types, the address may follow later.
    if (value !== typed.peek().trim()) typed.value = value;
  }, [value]);
  const search = (next: string): void => {
    typed.value = next;
    onSearch(next);
  };
  const text = words.value;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <form
      class={style.search}
      onSubmit={(event) => {
        event.preventDefault();
        onEnter?.(input.current?.value.trim() ?? '');
      }}
    >
      <Icon of={Search} class={style.lens} />
      <input
        ref={input}
        type="search"
        class={style.field}
        aria-label={text.search}
        aria-keyshortcuts="Control+K"
        placeholder={text.searchHint}
        value={typed.value}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') search('');
        }}
      />
      <span class={style.key} aria-hidden="true">
        {text.searchKey}
      </span>
    </form>
  );
};

const Account = () => {
  const text = words.value;
  const sheet = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A press elsewhere closes it, since it covers other content.
    const press = ({ target }: Event): void => {
      if (sheet.current !== null && target instanceof Node && !sheet.current.contains(target))
        sheet.current.open = false;
    };
    addEventListener('pointerdown', press);
    return () => removeEventListener('pointerdown', press);
  }, []);
  const name = person.value?.user.name ?? '';
  return (
    <details
      ref={sheet}
      class={style.account}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary class={style.who}>
        <Icon of={online.value ? Wifi : WifiOff} size={18} class={online.value ? style.on : style.off} />
        <span class="aloud">{online.value ? text.connected : text.disconnected}, </span>
        <span class={style.name}>{name.split(' ')[0]}</span>
        <span class="aloud">, {text.account}</span>
        <Icon of={ChevronDown} size={16} />
      </summary>
      <div class={style.sheet}>
        <p>
          <strong>{name}</strong>
          <br />
          {text.roles[role()]} · {online.value ? text.connected : text.disconnected}
        </p>
        <Preferences />
        <ButtonLink wide href="/konsol/akun" icon={ShieldCheck}>
          {text.security}
        </ButtonLink>
        <Button wide onClick={() => leave(false)}>
          {text.logOut}
        </Button>
      </div>
    </details>
  );
};

let isFirst = true;

interface Props {
  title: string;
  /** Beside the title: the links to other days. */
  beside?: ComponentChildren;
  search?: SearchProps;
  /** The right column. */
  aside?: ComponentChildren;
  /** Whether the page sets the focus itself. */
  ownFocus?: boolean;
  children: ComponentChildren;
}

/** A page of the console: the bar with its title, what it is about, and perhaps a column beside it. */
export const Page = ({ title, beside, search, aside, ownFocus, children }: Props) => {
  const { route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const page = useRef<HTMLDivElement>(null);
  useLostFocus(page, heading);
  const find = (text: string): void => {
    if (text !== '' && !staysOpen()) route(`/konsol/pasien?q=${encodeURIComponent(text)}`);
  };
  useLayoutEffect(() => {
    if (!isFirst && !ownFocus) heading.current?.focus();
    isFirst = false;
  }, []);
  const isSearching = search !== undefined || isDesk();
  useEffect(() => {
    document.title = `${title} · ${clinicName.value || words.value.title}`;
  }, [title, clinicName.value]);
  return (
    <div class={style.page} ref={page}>
      <p class={style.onPaper}>
        {clinicLogo.value !== null && <img src={clinicLogo.value} alt="" />}
        {clinicName.value}
      </p>
      <header class={style.bar}>
        <div class={style.titles}>
          <h1 class={style.title} tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {beside}
        </div>
        {isSearching && (
          <SearchField
            value={search?.value ?? ''}
            onSearch={search?.onSearch ?? (() => {})}
            onEnter={search?.onEnter ?? find}
          />
        )}
        {isDesk() && (
          <ButtonLink
            look="primary"
            small
            icon={UserPlus}
            href="/konsol/datang"
            class={style.walkIn}
            aria-keyshortcuts="Control+B"
          >
            {words.value.walkIn}
          </ButtonLink>
        )}
        <Account />
      </header>
      <div class={aside ? style.two : style.one}>
        <main id="isi" class={style.main} tabIndex={-1}>
          {children}
        </main>
        {aside}
      </div>
    </div>
  );
};
