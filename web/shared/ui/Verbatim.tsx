import look from './Verbatim.module.css';

/** What is typed off or copied letter by letter. */
export const Verbatim = ({ children }: { children: string }) => <p class={look.mono}>{children}</p>;
