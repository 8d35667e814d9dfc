import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { useAddress } from '../data/address.ts';
import { type Entry, listOffered, useWaitlist, waitlistChanged, waitlistMs } from '../data/waitlist.ts';
import { Page } from '../shell/Page.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { further } from '../words/follow-up.ts';
import { words } from '../words.ts';
import { Add } from './Add.tsx';
import { Offers } from './Offers.tsx';
import { Order } from './Order.tsx';
import { Waiting } from './Waiting.tsx';

/** The entries by session, each in the order of its offers. */
const bySession = (entries: readonly Entry[]): Entry[][] => {
  const groups = new Map<string, Entry[]>();
  for (const one of entries) groups.set(one.session_id, [...(groups.get(one.session_id) ?? []), one]);
  return [...groups.values()].sort((a, b) =>
    (a[0]?.session_name ?? '').localeCompare(b[0]?.session_name ?? ''),
  );
};

/** The waitlist in order, and the open offers. */
const Waitlist = () => {
  const { query, set } = useAddress();
  const text = further.value.waitlist;
  const list = useWaitlist().value;
  const isAdding = useSignal(query.pasien !== undefined);
  const moving = useSignal<string | null>(null);
  const removing = useSignal<string | null>(null);
  const said = useSignal('');
  const groups = bySession(list.data ?? []);
  const shown = query.layanan ? groups.filter(([one]) => one?.session_id === query.layanan) : groups;
  const offered = listOffered(shown.flat());
  const of = (id: string | null): Entry | null => list.data?.find((one) => one.id === id) ?? null;
  const moved = of(moving.value);
  const removed = of(removing.value);
  const remove = async ({ id, patient }: Entry): Promise<void> => {
    await take(api.v1.waitlist[':id'].$delete({ param: { id } }));
    said.value = text.removed(patient.name);
    await waitlistChanged();
  };
  const add = (
    <Button small icon={Plus} onClick={() => (isAdding.value = true)}>
      {text.add}
    </Button>
  );
  return (
    <Page
      title={words.value.nav.tunggu}
      beside={
        <>
          <span class={look.soft}>{list.data && text.count(list.data.length)}</span>
          {add}
        </>
      }
      aside={
        isAdding.value && (
          <Add
            key={query.pasien}
            patientId={query.pasien ?? ''}
            sessionId={query.layanan}
            onClose={() => {
              isAdding.value = false;
              set({ pasien: null });
            }}
            onAdded={(name) => (said.value = text.added(name))}
          />
        )
      }
    >
      <Age of={list} everyMs={waitlistMs} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        <p role="status">{said.value}</p>
        {groups.length > 1 && (
          <div class={look.fields}>
            <Select
              label={text.session}
              value={query.layanan ?? ''}
              onChange={(event) => set({ layanan: event.currentTarget.value })}
            >
              <option value="">{text.allSessions}</option>
              {groups.map(([one]) => (
                <option key={one?.session_id} value={one?.session_id}>
                  {one?.session_name}
                </option>
              ))}
            </Select>
          </div>
        )}
        <Shown of={list} rows={6}>
          {() => (
            <>
              {offered.length > 0 && <Offers of={offered} onSaid={(what) => (said.value = what)} />}
              {shown.length === 0 && (
                <EmptyBookings action={isAdding.value ? null : add}>{text.empty}</EmptyBookings>
              )}
              {shown.map((group) => (
                <Waiting
                  key={group[0]?.session_id}
                  of={group}
                  onMove={(id) => (moving.value = id)}
                  onRemove={(id) => (removing.value = id)}
                />
              ))}
            </>
          )}
        </Shown>
      </div>
      {moved !== null && (
        <Order
          of={moved}
          among={groups.find(([one]) => one?.session_id === moved.session_id) ?? []}
          onMoved={(place) => (said.value = text.moved(moved.patient.name, place))}
          onClose={() => (moving.value = null)}
        />
      )}
      {removed !== null && (
        <Confirm
          title={text.askRemove(removed.patient.name)}
          text={(removed.offer === null ? text.askRemoveText : text.askRemoveHeld)(removed.session_name)}
          verb={text.remove}
          work={() => remove(removed)}
          onClose={() => (removing.value = null)}
        />
      )}
    </Page>
  );
};

export default Waitlist;
