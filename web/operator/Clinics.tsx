import { useSignal } from '@preact/signals';
import { CircleCheck, CirclePause, type IconNode, TriangleAlert } from 'lucide';
import { queries, useResource } from '../shared/api/resource.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Confirm } from '../shared/ui/Confirm.tsx';
import { Field, Select } from '../shared/ui/Field.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { Empty, Freshness, Pending } from '../shared/ui/States.tsx';
import { AddClinic } from './AddClinic.tsx';
import style from './Clinics.module.css';
import { type Asked, type Clinic, type ClinicState, readClinics, setClinic } from './data.ts';
import { formatWhen, sizeInWords } from './when.ts';
import { words } from './words.ts';

const icons: Readonly<Record<ClinicState, IconNode>> = {
  open: CircleCheck,
  closed: CirclePause,
  broken: TriangleAlert,
};
const filters: readonly ClinicState[] = ['open', 'closed', 'broken'];

/** Everything that the page shows is read again: an act changes the list, the figures and the acts. */
const readAgain = (): Promise<void> => queries.invalidateQueries();

const State = ({ state }: { state: ClinicState }) => (
  <span class={`${style.badge} ${style[state]}`}>
    <Icon of={icons[state]} size={18} />
    {words.value.states[state]}
  </span>
);

const Backup = ({ backup }: Pick<Clinic, 'backup'>) => {
  const text = words.value;
  if (backup === null) return <span class={style.soft}>{text.noBackups}</span>;
  const { last_good_at: good, last_failed_at: failed } = backup;
  return (
    <span>
      {good === null ? text.noBackupYet : formatWhen(good)}
      {failed !== null && (good === null || failed > good) && (
        <span class={style.soft}> {text.backupFailed(formatWhen(failed))}</span>
      )}
    </span>
  );
};

const Row = ({ clinic, onAsk }: { clinic: Clinic; onAsk: () => void }) => {
  const text = words.value;
  const { name, hosts, state, problem, owner, bytes, bookings_today, failures, backup } = clinic;
  const known = (value: number | null) => value ?? <span class={style.soft}>{text.notKnown}</span>;
  return (
    <tr>
      <th scope="row">
        {name}
        <div class={style.soft}>{hosts.join(', ')}</div>
      </th>
      <td data-name={text.columns.state}>
        <div>
          <State state={state} />
          {problem !== null && <div class={style.soft}>{problem}</div>}
          {owner !== null && <div class={style.soft}>{text.at(owner)}</div>}
        </div>
      </td>
      <td class={style.number} data-name={text.columns.size}>
        <span>{bytes === null ? known(null) : sizeInWords(bytes)}</span>
      </td>
      <td class={style.number} data-name={text.columns.today}>
        <span>{known(bookings_today)}</span>
      </td>
      <td class={style.number} data-name={text.columns.failures}>
        <span>{known(failures)}</span>
      </td>
      <td class={style.backup} data-name={text.columns.backup}>
        <Backup backup={backup} />
      </td>
      <td class={style.act}>
        <Button small onClick={onAsk} aria-label={state === 'open' ? text.close(name) : text.open(name)}>
          {state === 'open' ? text.closeVerb : text.openVerb}
        </Button>
      </td>
    </tr>
  );
};

/** Asks before a clinic is closed or opened. */
const Question = ({ clinic, onClose }: { clinic: Clinic; onClose: () => void }) => {
  const text = words.value;
  const { id, name, state } = clinic;
  const asked = {
    open: { title: text.closeTitle(name), text: text.closeText, verb: text.closeVerb },
    closed: { title: text.openTitle(name), text: text.openText, verb: text.openVerb },
    broken: { title: text.retryTitle(name), text: text.retryText, verb: text.openVerb },
  }[state];
  return (
    <Confirm
      {...asked}
      work={async () => {
        await setClinic(id, state === 'open' ? 'close' : 'open');
        await readAgain();
      }}
      onClose={onClose}
    />
  );
};

const Filter = ({ asked, onAsk }: { asked: Asked; onAsk: (next: Asked) => void }) => {
  const text = words.value;
  const typed = useSignal(asked.q);
  return (
    <form
      class={style.filter}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ ...asked, q: typed.value.trim(), page: 1 });
      }}
    >
      <Field
        label={text.find}
        type="search"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <Select
        label={text.which}
        value={asked.state}
        onChange={(event) => onAsk({ ...asked, state: event.currentTarget.value as Asked['state'], page: 1 })}
      >
        <option value="">{text.all}</option>
        {filters.map((state) => (
          <option key={state} value={state}>
            {text.states[state]}
          </option>
        ))}
      </Select>
      <Button type="submit">{text.search}</Button>
    </form>
  );
};

/** The clinics with their figures, a page at a time; each can be closed and opened, and others added. */
export const Clinics = () => {
  const text = words.value;
  const asked = useSignal<Asked>({ q: '', state: '', page: 1 });
  const question = useSignal<Clinic | null>(null);
  const isAdding = useSignal(false);
  const { data, error, refetch, dataUpdatedAt } = useResource({
    queryKey: ['clinics', asked.value],
    queryFn: () => readClinics(asked.value),
  }).value;
  const meta = data?.meta;
  const isFiltered = asked.value.q !== '' || asked.value.state !== '';
  const columns = text.columns;
  return (
    <section class={style.section}>
      <div class={style.top}>
        <h2>{text.clinics}</h2>
        <Button look="primary" onClick={() => (isAdding.value = true)}>
          {text.add.button}
        </Button>
      </div>
      <p role="status">
        {meta === undefined ? '' : text.summary(meta.all, meta.open - meta.broken, meta.broken)}
      </p>
      <Filter asked={asked.value} onAsk={(next) => (asked.value = next)} />
      <Freshness at={dataUpdatedAt} isStale={error !== null && data !== undefined} />
      {data === undefined && <Pending rows={3} height={72} error={error} again={refetch} />}
      {data?.data.length === 0 && <Empty>{isFiltered ? text.noneFound : text.none}</Empty>}
      {data !== undefined && data.data.length > 0 && (
        <div class={style.frame}>
          <table class={style.table}>
            <caption class="aloud">{text.clinics}</caption>
            <thead>
              <tr>
                <th scope="col">{columns.name}</th>
                <th scope="col">{columns.state}</th>
                <th scope="col" class={style.number}>
                  {columns.size}
                </th>
                <th scope="col" class={style.number}>
                  {columns.today}
                </th>
                <th scope="col" class={style.number}>
                  {columns.failures}
                </th>
                <th scope="col">{columns.backup}</th>
                <th scope="col">{columns.acts}</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map((clinic) => (
                <Row key={clinic.id} clinic={clinic} onAsk={() => (question.value = clinic)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {meta !== undefined && meta.pages > 1 && (
        <nav class={style.pages} aria-label={text.clinics}>
          <Button
            small
            why={meta.page === 1 && text.pageOf(meta.page, meta.pages)}
            onClick={() => (asked.value = { ...asked.value, page: meta.page - 1 })}
          >
            {text.previous}
          </Button>
          {meta.page > 1 && meta.page < meta.pages && <span>{text.pageOf(meta.page, meta.pages)}</span>}
          <Button
            small
            why={meta.page === meta.pages && text.pageOf(meta.page, meta.pages)}
            onClick={() => (asked.value = { ...asked.value, page: meta.page + 1 })}
          >
            {text.next}
          </Button>
        </nav>
      )}
      {question.value !== null && (
        <Question clinic={question.value} onClose={() => (question.value = null)} />
      )}
      {isAdding.value && <AddClinic onClose={() => (isAdding.value = false)} />}
    </section>
  );
};
