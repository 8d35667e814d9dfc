import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { Banner, Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { setupChanged, useAllSessions } from '../data/catalog.ts';
import { isAdmin } from '../data/clinic.ts';
import { Page } from '../shell/Page.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';

type Session = Schemas['AdminSession'];

const Edit = ({ session, onClose }: { session: Session | null; onClose: () => void }) => {
  const text = setup.value.sessions;
  const value = useSignal({
    name: session?.name ?? '',
    approval: session?.approval ?? ('manual' as const),
  });
  const attempt = useAttempt(async () => {
    if (session === null) await take(api.v1.admin.sessions.$post({ json: value.peek() }));
    else
      await take(
        api.v1.admin.sessions[':id'].$patch({
          param: { id: session.id },
          json: { ...value.peek(), version: session.version },
        }),
      );
    await setupChanged();
    onClose();
  });
  const labels = { name: text.name, approval: text.approval };
  return (
    <EditPanel
      title={session === null ? text.add : setup.value.change(session.name)}
      attempt={attempt}
      labels={labels}
      onClose={onClose}
    >
      <Field
        label={text.name}
        required
        value={value.value.name}
        errors={fieldsOf(attempt).name}
        onInput={(event) => (value.value = { ...value.value, name: event.currentTarget.value })}
      />
      <Select
        label={text.approval}
        value={value.value.approval}
        onChange={(event) =>
          (value.value = { ...value.value, approval: event.currentTarget.value as 'manual' | 'automatic' })
        }
      >
        <option value="manual">{text.manual}</option>
        <option value="automatic">{text.automatic}</option>
      </Select>
    </EditPanel>
  );
};

/** What the clinic offers; what is retired is folded away. */
const Layanan = () => {
  const sessions = useAllSessions().value;
  const editing = useSignal<Session | 'new' | null>(null);
  const retiring = useSignal<Session | null>(null);
  const affected = useSignal<number | null>(null);
  const text = setup.value;
  const setActive = async (session: Session, active: boolean): Promise<void> => {
    const { meta } = await take(
      api.v1.admin.sessions[':id'].$patch({
        param: { id: session.id },
        json: { active, version: session.version },
      }),
    );
    affected.value = meta.affected_total;
    await setupChanged();
  };
  const reinstate = useAttempt((_key, session: Session) => setActive(session, true));
  const row = (session: Session) => (
    <tr key={session.id}>
      <th scope="row">{session.name}</th>
      <td>{session.approval === 'manual' ? text.sessions.manual : text.sessions.automatic}</td>
      <td>
        <div class={look.line}>
          {isAdmin() && session.active && (
            <>
              <Button small aria-label={text.change(session.name)} onClick={() => (editing.value = session)}>
                {words.value.edit}
              </Button>
              <Button
                small
                look="danger"
                aria-label={`${text.retire}: ${session.name}`}
                onClick={() => (retiring.value = session)}
              >
                {text.retire}
              </Button>
            </>
          )}
          {isAdmin() && !session.active && (
            <Button
              small
              busy={reinstate.busy.value}
              aria-label={`${text.reinstate}: ${session.name}`}
              onClick={() => void reinstate.run(session)}
            >
              {text.reinstate}
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
  const active = sessions.data?.filter((one) => one.active) ?? [];
  const retired = sessions.data?.filter((one) => !one.active) ?? [];
  const chosen = editing.value;
  const head = (
    <thead>
      <tr>
        <th scope="col">{text.sessions.name}</th>
        <th scope="col">{text.sessions.approval}</th>
        <th scope="col">{words.value.day.columns.action}</th>
      </tr>
    </thead>
  );
  return (
    <Page
      title={words.value.nav.layanan}
      beside={
        isAdmin() && (
          <Button small icon={Plus} onClick={() => (editing.value = 'new')}>
            {text.sessions.add}
          </Button>
        )
      }
      aside={
        chosen === null ? undefined : (
          <Edit
            key={chosen === 'new' ? 'new' : `${chosen.id}`}
            session={chosen === 'new' ? null : (sessions.data?.find((one) => one.id === chosen.id) ?? chosen)}
            onClose={() => (editing.value = null)}
          />
        )
      }
    >
      <Freshness at={sessions.dataUpdatedAt || undefined} />
      <div class={look.body}>
        {!isAdmin() && <p class={look.soft}>{text.readOnly}</p>}
        {affected.value !== null && affected.value > 0 && (
          <Banner role="status">{text.affected(affected.value)}</Banner>
        )}
        {reinstate.failure.value !== null && (
          <ReadFailure failure={reinstate.failure.value} again={sessions.refetch} />
        )}
        {sessions.data === undefined ? (
          sessions.error === null ? (
            <Skeleton rows={4} height={44} />
          ) : (
            <ReadFailure failure={sessions.error} again={sessions.refetch} />
          )
        ) : active.length === 0 ? (
          <Empty>{text.sessions.empty}</Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{words.value.nav.layanan}</caption>
            {head}
            <tbody>{active.map(row)}</tbody>
          </table>
        )}
        {retired.length > 0 && (
          <details>
            <summary class={look.summary}>{text.retired(retired.length)}</summary>
            <table class={look.table}>
              <caption class="aloud">{text.retired(retired.length)}</caption>
              {head}
              <tbody>{retired.map(row)}</tbody>
            </table>
          </details>
        )}
      </div>
      {retiring.value !== null && (
        <Confirm
          title={text.sessions.ask(retiring.value.name)}
          text={text.sessions.askText}
          verb={text.retire}
          work={() => setActive(retiring.value as Session, false)}
          onClose={() => (retiring.value = null)}
        />
      )}
    </Page>
  );
};

export default Layanan;
