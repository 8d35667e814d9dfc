import type { Db } from '../../../core/db/db.ts';
import { openCalled } from '../../../core/db/object.ts';
import type { BesideSandbox, OpenSandbox } from '../../../core/deps.ts';
import { openInTurn } from '../../../modules/sandbox/on-demand.ts';
import { needsSandboxes, type SandboxCalls } from './calls.ts';

/** How a clinic's object remembers that it has a sandbox: without it nothing is asked of another object. */
const noteKey = 'sandbox';

interface Notes {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: unknown): Promise<void>;
}

/** Whether a clinic has a sandbox, as far as its object remembers. */
export const hasSandbox = async (storage: Pick<Notes, 'get'>): Promise<boolean> =>
  (await storage.get(noteKey)) === true;

interface Needs extends Pick<Parameters<typeof openInTurn>[0], 'log' | 'clock'> {
  storage: Notes;
  /** Its object; undefined where the deployment has none. */
  call: () => SandboxCalls | undefined;
  /** Makes the sandbox of its database. */
  open: (database: { db: Db }) => Promise<OpenSandbox>;
}

/**
 * The last making of a sandbox, by the storage of its clinic. A clinic whose settings change has two services for a moment, and the
 * second one would erase what the first one makes.
 */
const making = new WeakMap<Notes, Promise<void>>();

/** The sandbox beside a clinic in an object: it is made with the first test key, and opened with the first request of one. */
export const findClinicSandbox = ({ storage, call, open, ...given }: Needs): BesideSandbox => {
  const called = (): SandboxCalls => {
    const sandbox = call();
    if (sandbox === undefined) throw new Error(needsSandboxes);
    return sandbox;
  };
  const database = {
    // Each step is a call of its own: an object that is elsewhere is called anew each time.
    db: openCalled({ runStep: (calls) => called().runStep(calls) }),
    close: async () => {},
  };
  const make = async (): Promise<void> => {
    if (await hasSandbox(storage)) return;
    // What is there is of an earlier clinic of this id, or of a later moment of a clinic that was brought back.
    await called().erase();
    await storage.put(noteKey, true);
  };
  const find = async (how?: 'make') => {
    if (how === 'make') {
      const mine = (making.get(storage) ?? Promise.resolve()).then(make);
      making.set(
        storage,
        mine.catch(() => {}),
      );
      await mine;
    }
    return (await hasSandbox(storage)) ? database : null;
  };
  return openInTurn({ find, open, ...given }).beside;
};
