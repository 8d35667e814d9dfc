import look from './Verbatim.module.css';

/** Text to type or copy exactly. */
export const Verbatim = ({ children }: { children: string }) => <p class={look.mono}>{children}</p>;
