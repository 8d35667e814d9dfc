import { useMissing } from '../data/setup.ts';
import { beginning } from '../words/first-run.ts';
import { backup, backupSetting, exportD1 } from './commands.ts';
import style from './FirstRun.module.css';

/** How to back up the data. The setting is shown only while there is no backup, and where the service can make one. */
export const Backups = () => {
  const text = beginning.value.backup;
  return (
    <>
      {useMissing().value.data?.missing.includes('backup') && (
        <>
          <p>{text.node}</p>
          <pre class={style.command}>{backupSetting}</pre>
        </>
      )}
      <p>{text.byHand}</p>
      <pre class={style.command}>{backup}</pre>
      <p>{text.workers}</p>
      <pre class={style.command}>{exportD1}</pre>
      <p>{text.keys}</p>
    </>
  );
};
