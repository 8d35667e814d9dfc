import fc from 'fast-check';
import { expect, it } from 'vitest';
import { act, book } from '../support/clinic-people.ts';
import { confirmNumbers, createExchanging, type Exchanging, numbersAt } from '../support/exchanging.ts';
import type { Fault } from '../support/peers/bpjs.ts';
import { createPeople } from '../support/people.ts';

const minute = 60_000;
const times = ['08:00:00', '08:30:00', '09:00:00', '09:30:00', '10:00:00'];
const verbs = ['approve', 'check-in', 'call', 'complete', 'no-show', 'cancel', 'skip'] as const;
const faults: readonly (Fault | null)[] = [null, null, 'lost', 'drop', 'slow', 'html', '500'];

const which = fc.nat(2);
const life = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constantFrom(...verbs), which }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('undo' as const), which }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('reschedule' as const), which, to: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('send' as const), at: fc.array(fc.nat(6), { maxLength: 6 }) }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const), after: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 700, 5 * minute) }),
    },
  ),
  { maxLength: 30, minLength: 5 },
);

/** Each call of either system goes as the list says, and then as all before it did not: well. */
const goWrong = ({ bpjs, satusehat }: Exchanging, list: readonly (Fault | null)[]): void => {
  const left = [...list];
  const next = () => left.shift() ?? null;
  bpjs.fault = next;
  satusehat.fault = next;
};

/** The process is killed after so many calls: what was sent then is never settled. */
const killAfter = async ({ world, send }: Exchanging, calls: number): Promise<void> => {
  const { deps } = world;
  const { askPartner, db } = deps;
  let left = calls;
  const dead = () => left < 0;
  const dying = new Proxy(db, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'batch') return value;
      return (...given: unknown[]) =>
        dead() ? Promise.reject(new Error('killed')) : Reflect.apply(value, target, given);
    },
  });
  const ask: typeof askPartner = async (request, signal) => {
    const answer = await askPartner(request, signal);
    left -= 1;
    return answer;
  };
  Object.assign(deps, { db: dying, askPartner: ask });
  await send(0).catch(() => {});
  Object.assign(deps, { db, askPartner });
};

const listTasks = ({ tasks }: { tasks: [number, number][] }) => tasks.map(([task]) => task);

it('what BPJS and SATUSEHAT hold in the end is what the clinic holds, through outages and kills', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (commands) => {
      const here = await createExchanging({ SATUSEHAT_FINISH: 'on' });
      const { world, clinic, bpjs, satusehat, send, rows, find } = here;
      const people = await createPeople(world, 3);
      const ids: string[] = [];
      for (const [at, { id, token }] of people.entries()) {
        await confirmNumbers(world, id, 1 + at);
        satusehat.people.set(numbersAt(1 + at).nik, `P0000000000${at}`);
        ids.push(await book(world, clinic, { schedule_time: times[at] }, token));
      }
      // The first two may be missed from now on, and the others moved.
      world.clock.now += 91 * minute;
      const undone = new Set<string>();
      for (const command of commands) {
        const id = 'which' in command ? (ids[command.which] ?? '') : '';
        if (command.does === 'wait') world.clock.now += command.ms;
        else if (command.does === 'kill') {
          goWrong(here, []);
          await killAfter(here, command.after);
        } else if (command.does === 'send') {
          goWrong(
            here,
            command.at.map((at) => faults[at] ?? null),
          );
          await send(0);
        } else {
          const to =
            command.does === 'reschedule'
              ? { schedule_date: '2026-11-23', schedule_time: times[command.to] }
              : { schedule_date: undefined };
          const { firstCalledAt } = await find(id);
          const { status } = await act(world, clinic.staff, id, command.does, to);
          // A step that is taken back stays reported; so does the call of a patient who is moved.
          if (status === 200 && (command.does === 'undo' || (to.schedule_date && firstCalledAt !== null)))
            undone.add(id);
        }
      }
      goWrong(here, []);
      for (let runs = 0; runs < 60 && (await rows()).length > 0; runs++) await send(10 * minute);
      expect([await rows(), bpjs.wrongs, satusehat.wrongs]).toEqual([[], [], []]);
      for (const id of ids.filter((one) => !undone.has(one))) {
        const row = await find(id);
        const mine = [...bpjs.queues].filter(([code]) => code.startsWith(row.bookingCode));
        const current = bpjs.queues.get(row.exchangeCode ?? '');
        expect(mine.filter(([, { canceled }]) => !canceled).map(([code]) => code)).toEqual(
          row.status === 'approved' ? [row.exchangeCode] : [],
        );
        const stages: [number, number | null][] = [
          [3, row.checkedInAt],
          [4, row.firstCalledAt],
          [5, row.completedAt],
          [99, row.noShowAt],
        ];
        const reached = stages.filter(([, at]) => at !== null);
        if (row.status === 'approved') {
          expect(current && listTasks(current)).toEqual(reached.map(([task]) => task));
          for (const [at, [, instant]] of reached.entries())
            expect((current?.tasks[at]?.[1] ?? 0) - (instant ?? 0)).toBeOneOf([0, 1, 2, 3]);
        }
        const encounters = [...satusehat.encounters.values()].filter(
          ({ identifier }) => identifier[0]?.value === row.bookingCode,
        );
        const isOff = row.status === 'canceled' || row.noShowAt !== null;
        const begun = row.firstCalledAt === null ? 'arrived' : 'in-progress';
        const status = row.completedAt !== null ? 'finished' : begun;
        expect(encounters.map((one) => one.status)).toEqual(
          row.checkedInAt === null ? [] : [isOff ? 'cancelled' : status],
        );
      }
    }),
    { numRuns: 15 },
  );
});
