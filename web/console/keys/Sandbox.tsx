import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useAttempt } from '../../shared/api/attempt.ts';
import { take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { submitBy, wrongFields } from '../../shared/form.ts';
import { dateOf, longDate, timeOf, zoneName } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { Empty, FormFailure } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { Shown, whyNot } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { own } from '../words/clinic.ts';
import { sandbox, sandboxChanged, sandboxQuery, type TestKey, toInstant, toLocal } from './sandbox.ts';

const Clock = ({ now }: { now: string }) => {
  const text = own.value.sandbox;
  const wanted = useSignal<{ date: string; time: string } | null>(null);
  const said = useSignal('');
  const { date, time } = wanted.value ?? toLocal(now);
  const attempt = useAttempt(async () => {
    said.value = '';
    const json = { now: toInstant(date, time) };
    await confirmedly(() => take(sandbox.clock.$post({ json })));
    wanted.value = null;
    await sandboxChanged();
    said.value = text.clockSet;
  });
  const errors = wrongFields(attempt).now;
  return (
    <form class={look.form} onSubmit={submitBy(attempt)}>
      <p>
        {text.now(`${longDate(dateOf(now))}, ${timeOf(now)} ${zoneName(now)}`)}{' '}
        <span role="status">{said.value}</span>
      </p>
      <FormFailure failure={attempt.failure.value} labels={{ now: text.clock }} />
      <div class={look.fields}>
        <DateField
          label={text.date}
          required
          min={toLocal(now).date}
          value={date}
          errors={errors}
          onInput={({ currentTarget: { value } }) => (wanted.value = { date: value, time })}
        />
        <TimeField
          label={text.time}
          required
          value={time}
          onInput={({ currentTarget: { value } }) => (wanted.value = { date, time: value })}
        />
      </div>
      <div>
        <Button type="submit" busy={attempt.busy.value} why={whyNot()}>
          {text.setClock}
        </Button>
      </div>
    </form>
  );
};

/** The sandbox beside the clinic: the keys that open it, its clock, and how it begins again. */
export const Sandbox = ({ onAdd, children }: { onAdd: () => void; children: ComponentChildren }) => {
  const { keys: text, sandbox: words } = own.value;
  const read = useRead({ ...sandboxQuery, queryFn: async () => (await take(sandbox.$get({}))).data });
  const asking = useSignal<TestKey | 'reset' | null>(null);
  const said = useSignal('');
  const revoke = async ({ id }: TestKey): Promise<void> => {
    await confirmedly(() => take(sandbox.keys[':id'].$delete({ param: { id } })));
    said.value = text.revoked;
    await sandboxChanged();
  };
  const reset = async (): Promise<void> => {
    await confirmedly(() => take(sandbox.reset.$post({})));
    said.value = words.wasReset;
    await sandboxChanged();
  };
  const asked = asking.value;
  return (
    <section class={look.card} aria-labelledby="sandbox">
      <div class={`${look.line} ${look.spread}`}>
        <h2 id="sandbox">{words.title}</h2>
        <Button small icon={Plus} onClick={onAdd}>
          {words.add}
        </Button>
      </div>
      <p class={look.soft}>{words.about}</p>
      {children}
      <span role="status">{said.value}</span>
      <Shown of={read.value} rows={2}>
        {({ now, keys }) => (
          <>
            {keys.length === 0 ? (
              <Empty>{words.empty}</Empty>
            ) : (
              <Table
                caption={words.caption}
                rows={keys}
                columns={[
                  {
                    name: text.columns.name,
                    isHead: true,
                    cell: ({ name, prefix }) => (
                      <>
                        {name}
                        <br />
                        <span class={look.soft}>{text.begins(prefix)}</span>
                      </>
                    ),
                  },
                  {
                    name: text.columns.scopes,
                    cell: ({ scopes }) => scopes.map((scope) => text.scopeNames[scope]).join(', '),
                  },
                  {
                    name: text.columns.action,
                    cell: (key) => (
                      <Button
                        small
                        look="danger"
                        aria-label={`${text.revoke}: ${key.name}`}
                        onClick={() => (asking.value = key)}
                      >
                        {text.revoke}
                      </Button>
                    ),
                  },
                ]}
              />
            )}
            <h3>{words.clock}</h3>
            <Clock now={now} />
          </>
        )}
      </Shown>
      <div>
        <Button look="danger" onClick={() => (asking.value = 'reset')}>
          {words.reset}
        </Button>
      </div>
      {asked !== null && (
        <Confirm
          title={asked === 'reset' ? words.askReset : text.askRevoke(asked.name)}
          text={asked === 'reset' ? words.askResetText : text.askRevokeText}
          verb={asked === 'reset' ? words.reset : text.revoke}
          work={() => (asked === 'reset' ? reset() : revoke(asked))}
          onClose={() => (asking.value = null)}
        />
      )}
    </section>
  );
};
