import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, longDate, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { Banner, Empty, Pending } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { useMissing } from '../data/setup.ts';
import { Page } from '../shell/Page.tsx';
import { Copy } from '../ui/Copy.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { shortDate } from '../ui/when.ts';
import { own } from '../words/clinic.ts';
import { words } from '../words.ts';
import { KeyForm } from './KeyForm.tsx';
import { Sandbox } from './Sandbox.tsx';

type Key = Schemas['ApiKey'];

const Row = ({ of, onRevoke }: { of: Key; onRevoke: () => void }) => {
  const text = own.value.keys;
  const { columns } = text;
  const { name, prefix, scopes, status, expires_at, last_used_at } = of;
  return (
    <tr>
      <th scope="row">
        {name}
        <br />
        <span class={look.soft}>{text.begins(prefix)}</span>
      </th>
      <td data-name={columns.scopes}>{scopes.map((scope) => text.scopeNames[scope]).join(', ')}</td>
      <td data-name={columns.state}>{text.states[status]}</td>
      <td data-name={columns.until}>{expires_at === null ? text.forever : longDate(dateOf(expires_at))}</td>
      <td class="tnum" data-name={columns.used}>
        {last_used_at === null
          ? text.never
          : `${shortDate(dateOf(last_used_at), today())} ${timeOf(last_used_at)}`}
      </td>
      <td>
        {status === 'active' && (
          <Button small look="danger" aria-label={`${text.revoke}: ${name}`} onClick={onRevoke}>
            {text.revoke}
          </Button>
        )}
      </td>
    </tr>
  );
};

const Table = ({ keys, caption, onRevoke }: TableProps) => {
  const { columns } = own.value.keys;
  return (
    <table class={look.table}>
      <caption class="aloud">{caption}</caption>
      <thead>
        <tr>
          {(['name', 'scopes', 'state', 'until', 'used', 'action'] as const).map((column) => (
            <th key={column} scope="col">
              {columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {keys.map((one) => (
          <Row key={one.id} of={one} onRevoke={() => onRevoke(one)} />
        ))}
      </tbody>
    </table>
  );
};
interface TableProps {
  keys: readonly Key[];
  caption: string;
  onRevoke: (key: Key) => void;
}

/** A new key, this once. */
const Secret = ({ of }: { of: string }) => (
  <Banner kind="warning" role="status">
    <p>{own.value.keys.secret}</p>
    <Copy text={of} />
  </Banner>
);

/** The API keys: the scopes, the expiry and the last use of each. */
const Keys = () => {
  const text = own.value.keys;
  const keys = useRead({
    queryKey: ['kunci', 'klinik'],
    queryFn: () => readAll((page) => take(api.v1.admin['api-keys'].$get({ query: page }))),
  }).value;
  const hasSandbox = useMissing().value.data?.has_sandbox === true;
  const adding = useSignal<'key' | 'test' | null>(null);
  const revoking = useSignal<Key | null>(null);
  const made = useSignal<{ key: string; isTest: boolean } | null>(null);
  const said = useSignal('');
  const revoke = async (param: { id: string }): Promise<void> => {
    await confirmedly(() => take(api.v1.admin['api-keys'][':id'].$delete({ param })));
    said.value = text.revoked;
    await queries.invalidateQueries({ queryKey: ['kunci'] });
  };
  const ask = (key: Key): void => {
    revoking.value = key;
  };
  const active = keys.data?.filter(({ status }) => status === 'active') ?? [];
  const old = keys.data?.filter(({ status }) => status !== 'active') ?? [];
  const asked = revoking.value;
  const isTest = adding.value === 'test';
  return (
    <Page
      title={words.value.nav.kunci}
      beside={
        <Button small icon={Plus} onClick={() => openBeside(adding, 'key')}>
          {text.add}
        </Button>
      }
      aside={
        adding.value === null ? undefined : (
          <KeyForm
            key={adding.value}
            isTest={isTest}
            onClose={() => (adding.value = null)}
            onKey={(key) => (made.value = { key, isTest })}
          />
        )
      }
    >
      <Age of={keys} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        {made.value?.isTest === false && <Secret of={made.value.key} />}
        <span role="status">{said.value}</span>
        {keys.data === undefined ? (
          <Pending rows={3} height={44} error={keys.error} again={keys.refetch} />
        ) : active.length === 0 ? (
          <Empty>{text.empty}</Empty>
        ) : (
          <Table keys={active} caption={words.value.nav.kunci} onRevoke={ask} />
        )}
        {old.length > 0 && (
          <details>
            <summary class={look.summary}>{text.old(old.length)}</summary>
            <Table keys={old} caption={text.old(old.length)} onRevoke={ask} />
          </details>
        )}
        {hasSandbox && (
          <Sandbox onAdd={() => openBeside(adding, 'test')}>
            {made.value?.isTest && <Secret of={made.value.key} />}
          </Sandbox>
        )}
      </div>
      {asked !== null && (
        <Confirm
          title={text.askRevoke(asked.name)}
          text={text.askRevokeText}
          verb={text.revoke}
          work={() => revoke({ id: asked.id })}
          onClose={() => (revoking.value = null)}
        />
      )}
    </Page>
  );
};

export default Keys;
