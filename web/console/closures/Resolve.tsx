import { useSignal } from '@preact/signals';
import { newKey, useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { fullName } from '../../shared/doctor.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { useRead } from '../data/read.ts';
import { farKey, nearKey } from '../data/waiting.ts';
import { SidePanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Shown, whyNot } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { Affected } from './Affected.tsx';

interface Props {
  closure: Schemas['Closure'];
  who: string;
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
}

const nothingYet = { moved: 0, canceled: 0, left: 0, all: 0 };

/** The bookings under a closure, and the actions that move or cancel them all, some at a time. */
export const Resolve = ({ closure, who, doctors, onClose }: Props) => {
  const text = setup.value.closures;
  const to = useSignal('');
  const done = useSignal(nothingYet);
  const isAsking = useSignal(false);
  const under = useRead({
    queryKey: ['atur', 'tutup', 'satu', closure.id],
    queryFn: async () => (await take(api.v1.admin.closures[':id'].$get({ param: { id: closure.id } }))).meta,
  }).value;
  const total = under.data?.affected_total ?? 0;
  const resolve = async (action: 'cancel' | 'move'): Promise<void> => {
    done.value = { ...nothingYet, all: total };
    try {
      for (;;) {
        const { data, meta } = await take(
          api.v1.admin.closures[':id'].resolve.$post({
            param: { id: closure.id },
            json: { action, ...(action === 'move' && to.peek() !== '' && { to_doctor_id: to.peek() }) },
            header: { 'Idempotency-Key': newKey() },
          }),
        );
        const count = (result: string): number => data.filter((one) => one.result === result).length;
        const now = done.peek();
        const next = {
          moved: now.moved + count('moved'),
          canceled: now.canceled + count('canceled'),
          left: count('no_slot'),
          all: now.all,
        };
        const isStuck = next.moved === now.moved && next.canceled === now.canceled;
        done.value = next;
        // A booking without a free time stays and is counted in the rest: another round would not find one either.
        if (meta.remaining === 0 || isStuck) return;
      }
    } finally {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['atur', 'tutup'] }),
        queries.invalidateQueries({ queryKey: ['hari'] }),
        queries.invalidateQueries({ queryKey: nearKey }),
        queries.invalidateQueries({ queryKey: farKey }),
      ]);
    }
  };
  const move = useAttempt(() => resolve('move'));
  const { moved, canceled, left, all } = done.value;
  // After a lost answer, what it did is known from what is left.
  const solved = Math.max(moved + canceled, all - total);
  return (
    <SidePanel title={closure.name} onClose={onClose}>
      <p class={look.soft}>{who}</p>
      {total > 0 && <FormFailure failure={move.failure.value} />}
      {move.failure.value !== null && moved > 0 && <p>{text.stopped}</p>}
      <Shown of={under} rows={3} height={32}>
        {({ affected_bookings }) => (
          <>
            <p class={look.strong}>{text.after(total)}</p>
            <Affected bookings={affected_bookings} />
          </>
        )}
      </Shown>
      {all > 0 && (
        <Banner role="status">
          <progress max={all} value={solved} aria-label={text.progress(solved, all)} />
          <p>{text.progress(solved, all)}</p>
          {moved + canceled + left > 0 && <p>{text.results(moved, canceled, left)}</p>}
        </Banner>
      )}
      {total > 0 && (
        <div class={look.form}>
          {closure.doctor_id !== null && (
            <Select
              label={text.moveTo}
              value={to.value}
              onChange={(event) => (to.value = event.currentTarget.value)}
            >
              <option value="">{text.sameDoctor}</option>
              {doctors.map((one) => (
                <option key={one.id} value={one.id}>
                  {fullName(one)}
                </option>
              ))}
            </Select>
          )}
          <div class={look.line}>
            <Button
              small
              look="primary"
              busy={move.busy.value}
              why={whyNot()}
              onClick={() => void move.run()}
            >
              {text.move}
            </Button>
            <Button small look="danger" why={whyNot()} onClick={() => (isAsking.value = true)}>
              {text.cancel}
            </Button>
          </div>
        </div>
      )}
      {isAsking.value && (
        <Confirm
          title={text.askCancel(total)}
          text={text.askCancelText}
          verb={text.cancel}
          work={() => resolve('cancel')}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </SidePanel>
  );
};
