import { beginning } from '../words/mulai.ts';
import { backup, exportD1 } from './commands.ts';
import style from './Mulai.module.css';

/** How to back up the data: the page cannot check whether it is done. */
export const Backups = () => {
  const text = beginning.value.backup;
  return (
    <>
      <p>{text.node}</p>
      <pre class={style.command}>{backup}</pre>
      <p>{text.workers}</p>
      <pre class={style.command}>{exportD1}</pre>
      <p>{text.keys}</p>
    </>
  );
};
