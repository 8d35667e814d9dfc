import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ClinicEntry } from '../../../src/modules/clinics/queries.ts';
import { createOpenClinics } from '../../../src/runtime/node/clinics/open-clinics.ts';

const clinicOf = (at: number) => ({ id: `k${at}`, problem: null }) as unknown as ClinicEntry;

/** Clinics whose closing ends when the test says so, and work for later that is done when it says so. */
const openSome = (maxOpen: number) => {
  const closing: (() => void)[] = [];
  const postponed: (() => void)[] = [];
  let most = 0;
  let open = 0;
  const clinics = createOpenClinics({
    maxOpen,
    clock: () => 0,
    later: (work) => void postponed.push(work),
    open: async () => {
      open += 1;
      most = Math.max(most, open);
      return {
        isBusy: () => false,
        close: () =>
          new Promise<void>((resolve) => {
            closing.push(() => {
              open -= 1;
              resolve();
            });
          }),
      };
    },
  });
  const use = (at: number): Promise<unknown> =>
    clinics.use(clinicOf(at), async (_, release) => {
      release();
    });
  return {
    use,
    most: () => most,
    counts: () => ({ ...clinics.counts(), closing: closing.length }),
    ids: () => clinics.list().map(({ clinic }) => clinic.id),
    doPostponed: () => {
      for (const work of postponed.splice(0)) work();
    },
    endClosing: async () => {
      for (const end of closing.splice(0)) end();
      await turn();
    },
  };
};

it('an opening waits for no other clinic to be closed while places are free', async () => {
  const { use, counts, doPostponed, endClosing, ids, most } = openSome(24);
  for (let at = 0; at < 24; at++) await use(at);
  // Nothing is closed while requests are being answered.
  expect(counts()).toEqual({ open: 24, inUse: 0, closing: 0 });
  doPostponed();
  expect(counts()).toEqual({ open: 22, inUse: 0, closing: 2 });
  expect(ids()).not.toContain('k0');
  await endClosing();
  for (const at of [100, 101]) {
    await use(at);
    doPostponed();
  }
  expect(counts()).toEqual({ open: 22, inUse: 0, closing: 2 });
  await endClosing();
  expect(most()).toBe(24);
});

it('one that finds no place free waits until several are, and never are more open than may be', async () => {
  const { use, counts, endClosing, most } = openSome(24);
  for (let at = 0; at < 24; at++) await use(at);
  const opening = [100, 101, 102].map(use);
  // Two places at a time, though one is asked for.
  expect(counts().closing).toBe(4);
  await turn();
  expect(counts().inUse).toBe(3);
  await endClosing();
  await Promise.all(opening);
  expect(most()).toBe(24);
});

it('one that may have few open closes each only for another', async () => {
  const { use, counts, doPostponed, endClosing } = openSome(2);
  await use(0);
  await use(1);
  doPostponed();
  expect(counts()).toEqual({ open: 2, inUse: 0, closing: 0 });
  const opening = use(2);
  await endClosing();
  await opening;
  expect(counts().open).toBe(2);
});

it('one that is to be opened anew lets those go that wait at it, and is once nobody uses it', async () => {
  const opened: string[] = [];
  const clinics = createOpenClinics({
    maxOpen: 2,
    clock: () => 0,
    open: async ({ name }) => {
      opened.push(name);
      return { name, isBusy: () => false, endWaits: () => letGo(), close: async () => {} };
    },
  });
  const named = (name: string) => ({ ...clinicOf(1), name });
  const at = (name: string) =>
    clinics.use(named(name), async (one, release) => {
      release();
      return one.name;
    });
  let letGo = (): void => {};
  const waiting = clinics.use(named('before'), async (_, release) => {
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
    release();
  });
  await turn();
  expect(await at('after')).toBe('before');
  await waiting;
  expect([await at('after'), opened]).toEqual(['after', ['before', 'after']]);
});
