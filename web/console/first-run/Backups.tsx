import { Backups as State, useBackups } from '../clinic/Backups.tsx';
import { Shown } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { backup, backupSetting, exportD1 } from './commands.ts';
import style from './FirstRun.module.css';

/** How to back up the data, and how the backups stand that the service makes by itself. */
export const Backups = () => {
  const text = beginning.value.backup;
  return (
    <Shown of={useBackups().value}>
      {({ backups }) => (
        <>
          {backups === null ? (
            <>
              <p>{text.node}</p>
              <pre class={style.command}>{backupSetting}</pre>
            </>
          ) : (
            <State />
          )}
          <p>{text.byHand}</p>
          <pre class={style.command}>{backup}</pre>
          {backups === null && (
            <>
              <p>{text.workers}</p>
              <pre class={style.command}>{exportD1}</pre>
            </>
          )}
          <p>{text.keys}</p>
        </>
      )}
    </Shown>
  );
};
