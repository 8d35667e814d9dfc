import { type Clinic, ensureClinic } from '../../../core/clinic/row.ts';
import type { ServerSecrets } from '../../../core/crypto/clinic-keys.ts';
import type { Db } from '../../../core/db/db.ts';
import { type Call, mayWrite, type ObjectStorage, openObject } from '../../../core/db/object.ts';
import type { Deps, OpenSandbox, SharedDeps } from '../../../core/deps.ts';
import { createEventWaiters } from '../../../core/events/waiters.ts';
import { consoleLogger, loggerWith } from '../../../core/log.ts';
import { mailerFrom } from '../../../core/mailer.ts';
import { loggedMetrics } from '../../../core/metrics.ts';
import { jobs } from '../../../jobs/jobs.ts';
import { createDueRounds, type Rounds } from '../../../jobs/rounds.ts';
import { ClinicBroken } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { createSettingsBox, openSettings, readClinicConfig } from '../../../modules/clinics/settings.ts';
import { askByFetch } from '../../../modules/exchange/outbox/ask.ts';
import { sendByFetch } from '../../../modules/webhooks/delivery/send-by-fetch.ts';
import { createAssetReader, createCommonPasswordReader } from '../assets.ts';
import { wakeDeliverer } from '../background.ts';
import { workerMailer } from '../mailer.ts';
import { parseBindings } from '../settings.ts';
import { type Alarm, createAlarm } from './alarm.ts';
import { needsArchive, type ObjectBindings } from './calls.ts';
import type { ClinicArchive } from './clinic-archive.ts';
import { sandboxOf } from './clinic-of.ts';
import { findClinicSandbox } from './clinic-sandbox.ts';
import { hasherOfFronts } from './front-hasher.ts';

/** Puts a clinic's service together; src/service.ts has it, which imports every module. */
export type Assemble = (
  clinic: Omit<Clinic, 'storedId' | 'hasAdmin'>,
  database: { db: Deps['db']; archive: Deps['archive'] },
  shared: SharedDeps & Pick<ServerSecrets, 'secret' | 'dataKey'>,
) => Promise<{
  deps: Deps;
  app: { fetch(request: Request, bindings: object): Response | Promise<Response> };
}>;

/** Opens the sandbox of a clinic; src/service.ts has it too. */
export type OpenSandboxOf = (
  database: { db: Db },
  besideId: string,
  shared: SharedDeps & Pick<ServerSecrets, 'secret' | 'dataKey'>,
) => Promise<OpenSandbox>;

/** The parts of the platform that a clinic's service uses. */
export interface Place {
  storage: ObjectStorage & {
    get<T>(key: string): Promise<T | undefined>;
    put(key: string, value: unknown): Promise<void>;
    getAlarm(): Promise<number | null>;
    setAlarm(at: number): Promise<void>;
    deleteAlarm(): Promise<void>;
  };
  bindings: ObjectBindings;
  clock: () => number;
  background: (work: Promise<unknown>) => void;
  /** Resolves when writes may begin; undefined where they may at once. */
  mayWrite: () => Promise<void> | undefined;
  /** Its archive, where it has one. */
  archive: ClinicArchive | null;
}

export interface OpenService {
  deps: Deps;
  fetch: (request: Request) => Promise<Response>;
  rounds: Rounds;
  alarm: Alarm;
}

/** A backlog is reported to metrics, which objects do not have: it would wake them each minute. */
const chosen = jobs.filter(({ name }) => name !== 'webhook backlog');

const readConfig = async (bindings: ObjectBindings, clinic: ClinicEntry) => {
  const { config: deployment, secret, dataKey } = parseBindings(bindings);
  const box = () => createSettingsBox(clinic.id, deployment, { secret, dataKey });
  const settings = await openSettings(clinic.settings, box);
  return { config: readClinicConfig(deployment, { ...clinic, settings }), deployment, secret, dataKey };
};

/** Makes the service of an object's clinic. Throws `ClinicBroken` if that cannot be done. */
export const openObjectService = async (
  { assemble, openSandbox }: { assemble: Assemble; openSandbox: OpenSandboxOf },
  clinic: ClinicEntry,
  { storage, bindings, clock, background, mayWrite: mayBegin, archive }: Place,
): Promise<OpenService> => {
  try {
    const { config, deployment, secret, dataKey } = await readConfig(bindings, clinic);
    const log = loggerWith(consoleLogger(config.LOG_LEVEL), { clinic: clinic.id });
    let writes = 0;
    let alarm: Alarm | undefined;
    const db = openObject(storage, {
      mayBegin: (calls: readonly Call[]) => (mayWrite(calls) ? mayBegin() : undefined),
      begins: (calls) => {
        if (!mayWrite(calls)) return;
        writes += 1;
        alarm?.wrote();
      },
    });
    const isOn = config.ARCHIVE_AFTER_DAYS > 0;
    if (isOn && archive === null) throw new ClinicBroken(needsArchive);
    const row = await ensureClinic(db, clinic.timeZone, clinic.id);
    if (row.demoSince !== null && bindings.DEMO !== 'on')
      throw new ClinicBroken('it is a demo clinic with public passwords: DEMO=on serves it');
    // All requests of an object may wait for each other.
    const waiters = createEventWaiters();
    const deliver = wakeDeliverer(() => service.deps);
    const shared = {
      config,
      secret,
      dataKey,
      clock,
      hasher: hasherOfFronts(),
      commonPasswords: createCommonPasswordReader(bindings.ASSETS),
      mailer: mailerFrom(workerMailer(deployment, log), config.MAIL_FROM),
      log,
      clientAddress: (request: Request) => request.headers.get('CF-Connecting-IP') ?? '',
      background,
      publicFile: createAssetReader(bindings.ASSETS),
      sendWebhook: sendByFetch,
      sendMessage: sendByFetch,
      askPartner: askByFetch,
      noticesAtOnce: 24,
      awaitEvents: waiters.wait,
      eventsWritten: () => {
        waiters.wake();
        deliver();
      },
      metrics: loggedMetrics(log),
    };
    const service = await assemble(
      row,
      { db, archive: archive?.find(isOn) },
      {
        ...shared,
        ...(config.SANDBOX === 'on' && {
          besideSandbox: findClinicSandbox({
            storage,
            call: () => sandboxOf(bindings, clinic),
            open: (opened) => openSandbox(opened, clinic.id, shared),
            log,
            clock,
          }),
        }),
      },
    );
    const rounds = createDueRounds(service.deps, async () => String(writes), chosen);
    alarm = createAlarm({
      storage,
      standing: await storage.getAlarm(),
      clock,
      readNextAt: rounds.readNextAt,
      background: service.deps.background,
    });
    return {
      deps: service.deps,
      fetch: async (request) => {
        const answer = await service.app.fetch(request, bindings);
        answer.headers.set('Date', new Date(clock()).toUTCString());
        return answer;
      },
      rounds,
      alarm,
    };
  } catch (error) {
    if (error instanceof ClinicBroken) throw error;
    throw new ClinicBroken(error instanceof Error ? error.message : 'it cannot be opened', { cause: error });
  }
};
