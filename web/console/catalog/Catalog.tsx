import { useSignal } from '@preact/signals';
import type { QueryObserverResult } from '@tanstack/query-core';
import { Plus } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useAttempt } from '../../shared/api/attempt.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { AffectedBanner, type LeftStanding } from '../closures/Affected.tsx';
import { isAdmin } from '../data/clinic.ts';
import { Page } from '../shell/Page.tsx';
import { createCloser } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Age, Refusal, Shown, whyNot } from '../ui/Shown.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';

interface Entry {
  id: string;
  active: boolean;
}

export interface EditProps<T> {
  /** Null for one that is added. */
  entry: T | null;
  onClose: () => void;
}

interface Props<T extends Entry> {
  title: string;
  all: QueryObserverResult<T[]>;
  nameOf: (one: T) => string;
  /** The columns before the actions; the first names the row. */
  columns: readonly Omit<Column<T>, 'isHead'>[];
  text: { add: string; empty: string; ask: (name: string) => string; askText: string };
  /** Retires or restores an entry; shows how many upcoming bookings that affects. */
  setActive: (one: T, active: boolean) => Promise<LeftStanding>;
  Edit: (props: EditProps<T>) => ComponentChildren;
  /** Further links of a row. */
  more?: (one: T) => ComponentChildren;
}

/** The bookable catalogue: admins add, change, retire and restore entries; retired ones are collapsed. */
export const Catalog = <T extends Entry>(props: Props<T>) => {
  const { title, all, nameOf, text, setActive, Edit, more } = props;
  const editing = useSignal<string | null>(null);
  const retiring = useSignal<string | null>(null);
  const affected = useSignal<LeftStanding | null>(null);
  const of = (id: string | null): T | null => all.data?.find((one) => one.id === id) ?? null;
  const change = async (one: T, active: boolean): Promise<void> => {
    affected.value = await setActive(one, active);
  };
  const reinstate = useAttempt((_key, id: string) => {
    const one = of(id);
    return one === null ? Promise.resolve() : change(one, true);
  });
  const actions = (one: T) => {
    const name = nameOf(one);
    return (
      <div class={look.line}>
        {more?.(one)}
        {!isAdmin() ? null : one.active ? (
          <>
            <Button small aria-label={setup.value.change(name)} onClick={() => openBeside(editing, one.id)}>
              {words.value.edit}
            </Button>
            <Button
              small
              look="danger"
              aria-label={`${setup.value.retire}: ${name}`}
              onClick={() => (retiring.value = one.id)}
            >
              {setup.value.retire}
            </Button>
          </>
        ) : (
          <Button
            small
            busy={reinstate.busy.value}
            aria-label={`${setup.value.reinstate}: ${name}`}
            why={whyNot()}
            onClick={() => void reinstate.run(one.id)}
          >
            {setup.value.reinstate}
          </Button>
        )}
      </div>
    );
  };
  const columns: Column<T>[] = props.columns.map((one, nth) => ({ ...one, isHead: nth === 0 }));
  if (isAdmin() || more !== undefined)
    columns.push({ name: words.value.day.columns.action, look: 'actions', cell: actions });
  const retired = all.data?.filter((one) => !one.active) ?? [];
  const going = of(retiring.value);
  const add = isAdmin() && (
    <Button small icon={Plus} onClick={() => openBeside(editing, 'new')}>
      {text.add}
    </Button>
  );
  return (
    <Page
      title={title}
      beside={add}
      aside={
        editing.value !== null && (
          <Edit key={editing.value} entry={of(editing.value)} onClose={createCloser(editing)} />
        )
      }
    >
      <Age of={all} />
      <div class={look.body}>
        {!isAdmin() && <p class={look.soft}>{setup.value.readOnly}</p>}
        <AffectedBanner of={affected.value} />
        <Refusal of={reinstate} />
        <Shown of={all}>
          {(entries) => {
            const active = entries.filter((one) => one.active);
            return active.length === 0 ? (
              <Empty action={add}>{text.empty}</Empty>
            ) : (
              <Table caption={title} rows={active} columns={columns} />
            );
          }}
        </Shown>
        {retired.length > 0 && (
          <details>
            <summary class={look.summary}>{setup.value.retired(retired.length)}</summary>
            <Table caption={setup.value.retired(retired.length)} rows={retired} columns={columns} />
          </details>
        )}
      </div>
      {going !== null && (
        <Confirm
          title={text.ask(nameOf(going))}
          text={text.askText}
          verb={setup.value.retire}
          work={() => change(going, false)}
          onClose={() => (retiring.value = null)}
        />
      )}
    </Page>
  );
};
