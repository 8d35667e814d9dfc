import { availableParallelism } from 'node:os';
import type { HttpBindings } from '@hono/node-server';
import { startFileThreads } from '../../../core/db/embedded/file-threads.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { createEventWaiters, type EventWaiters } from '../../../core/events/waiters.ts';
import { createObservedApp } from '../../../core/http/observed-app.ts';
import { errorName, type Logger } from '../../../core/log.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import { createDirectory } from '../../../modules/clinics/directory.ts';
import { createFairShares } from '../../../modules/clinics/fair-shares.ts';
import { createFront } from '../../../modules/clinics/front.ts';
import type { DirectoryNow } from '../../../modules/clinics/lease-queries.ts';
import type { Opener } from '../../../modules/clinics/opener.ts';
import {
  type ClinicEntry,
  countClinics,
  findClinicByHost,
  lowerDueAt,
  noteClinic,
} from '../../../modules/clinics/queries.ts';
import { createSettingsBox, originsOf } from '../../../modules/clinics/settings.ts';
import { askByFetch } from '../../../modules/exchange/outbox/ask.ts';
import { operatorsKeyId } from '../../../modules/operators/accounts.ts';
import { operatorSecret } from '../../../modules/operators/caller.ts';
import type { MountDeployment, OperatorNeeds } from '../../../modules/operators/needs.ts';
import { readSignup } from '../../../modules/operators/signup.ts';
import { commonPasswords } from '../common-passwords.ts';
import { doEveryStep } from '../every-step.ts';
import { createFairHasher } from '../hashing/fair-hasher.ts';
import { readerOfBuilt } from '../pages/built-files.ts';
import { trackBackground } from '../serve/background.ts';
import { createClientAddressReader } from '../serve/client-address.ts';
import { compress } from '../serve/compress.ts';
import { nodeMailer } from '../serve/mailer.ts';
import type { Tracked } from '../serve/tracked.ts';
import type { AllSettings } from '../settings.ts';
import { watchLoad } from '../watch/load.ts';
import { gatewaySender, webhookSender } from '../webhooks/webhook-sender.ts';
import { createClinicMaker } from './add-clinics.ts';
import { type ClinicsBackups, createClinicsBackups } from './backups.ts';
import { type Assemble, type OpenSandboxOf, type OpenService, openClinicService } from './clinic-service.ts';
import {
  clinicPath,
  clinicsFolder,
  openDirectory,
  readClinicsSecrets,
  sharedDirectory,
  sizesIn,
} from './directory-file.ts';
import { createHosting } from './hosting.ts';
import { createMachines } from './machines/machines.ts';
import { createOpenClinics } from './open-clinics.ts';

/** Requests of all clinics, and of one, that are processed at once; those beyond wait, and of these so many. */
const requestShares = { atOnce: 64, besideOthers: 6, waitingOfOneClinic: 256 };

/** Even on a small machine: each waits for the disk at every commit, and meanwhile the others make and commit theirs. */
const fewestFileThreads = 3;

const fileThreadCount = (cores = availableParallelism()): number => Math.max(fewestFileThreads, cores);

const ownPath = /^\/(health|ready|metrics|operator|(operator|assets)\/.*)$/;

interface Needs {
  assemble: Assemble;
  openSandbox: OpenSandboxOf;
  mountDeployment: MountDeployment;
  log: Logger;
  clock: () => number;
  requests: Pick<Tracked, 'running'>;
  /** How many threads have the files open. */
  threadCount?: number;
  /** The time of leases; that of the directory unless given. */
  leaseTime?: DirectoryNow;
}

/** Everything that serves the clinics of a folder, without the server that takes the requests. */
export const createManyClinics = async (
  settings: AllSettings,
  {
    assemble,
    openSandbox,
    mountDeployment,
    log,
    clock,
    requests,
    threadCount = fileThreadCount(),
    leaseTime,
  }: Needs,
) => {
  const folder = clinicsFolder(settings);
  const background = trackBackground(log);
  const shared = sharedDirectory(settings);
  const directoryFile = await openDirectory(folder, { make: true, commitsInThread: true, shared });
  const { db } = directoryFile;
  const threads = startFileThreads(threadCount);
  const hasher = createFairHasher();
  const mailer = nodeMailer(settings, settings, log);
  const backups: ClinicsBackups | null = createClinicsBackups(settings, {
    directory: db,
    folder,
    clock,
    log,
    held: (clinic, work) => held(clinic, work),
  });
  const waiters = new Map<string, EventWaiters>();
  const waitersFor = (clinicId: string): EventWaiters => {
    const made = createEventWaiters();
    waiters.set(clinicId, made);
    return made;
  };
  // A request that hashes or waits for an event has a limit of its own, and takes no other one's place.
  const elsewhere = (clinicId: string) => hasher.admitted(clinicId) + (waiters.get(clinicId)?.count() ?? 0);
  const shares = createFairShares({ ...requestShares, elsewhere });
  const quietly = (work: Promise<unknown>): void => background.add(work);
  const { turnAway, metrics, metricsFor, failuresOf, mountOwn } = watchLoad(settings, {
    database: { db: null, stats: null, waitedMs: threads.waitedMs },
    clinics: {
      apart: settings.CLINICS_METRICS,
      counts: () => clinics.counts(),
      waiting: shares.stats,
      sizes: () => sizesIn(folder, 'own'),
      archives: () => sizesIn(folder, 'archives'),
      machines: shared === null ? null : () => machines?.stats() ?? null,
    },
    hasher,
    requests,
    waiters: {
      // What is forwarded waits for another machine, and takes nothing here.
      count: () =>
        [...waiters.values()].reduce((sum, one) => sum + one.count(), machines?.stats().underWay ?? 0),
    },
    backups: null,
    originsOf: ({ headers }) => originsOf(settings, knownClinics.known(headers.host ?? '')),
    log,
  });
  const secrets = readClinicsSecrets(settings, folder);
  const machines = createMachines(settings, {
    directory: db,
    secrets,
    log,
    clientAddress: createClientAddressReader(settings.TRUST_PROXY),
    lost: () => {
      endWaits();
      for (const { clinic } of clinics.list()) clinics.leave(clinic.id);
    },
    clock,
    now: leaseTime,
  });
  const clientAddress = machines?.clientAddress ?? createClientAddressReader(settings.TRUST_PROXY);
  const publicFile = readerOfBuilt();
  const deployment = {
    assemble,
    openSandbox,
    settings,
    ...secrets,
    folder,
    threads,
    clock,
    commonPasswords,
    mailer,
    log,
    clientAddress,
    background: background.add,
    publicFile,
    compress,
    sendWebhook: webhookSender(settings.WEBHOOK_ALLOW_PRIVATE === 'true'),
    sendMessage: gatewaySender(),
    askPartner: askByFetch,
    hasherFor: hasher.hasherFor,
    waitersFor,
    metricsFor,
    backupStateFor: (id: string) => backups?.readState(id) ?? null,
    take: machines?.take ?? null,
    changed: (id: string) => quietly(lowerDueAt(db, id, clock())),
    closed: (id: string, noted: Parameters<typeof noteClinic>[2]) => {
      waiters.delete(id);
      // One that was lost meanwhile is noted by its next owner.
      if (machines === null || machines.leases.holds(id)) quietly(noteClinic(db, id, noted));
    },
  };
  const clinics = createOpenClinics<OpenService>({
    open: (clinic) => openClinicService(deployment, clinic),
    maxOpen: settings.CLINICS_OPEN,
    clock,
    judged: ({ id }, problem) => {
      if (problem !== null) log.error('clinic cannot be opened', { clinic: id, cause: problem.message });
      quietly(noteClinic(db, id, { problem: problem?.message ?? null }));
    },
  });
  const held = <T>(clinic: ClinicEntry, work: () => Promise<T>): Promise<T> => {
    if (machines === null) return work();
    if (clinic.state === 'closed') return machines.during(clinic, clinicPath(folder, clinic), work);
    return clinics.use(clinic, async (_, release) => {
      const done = await work();
      release();
      return done;
    });
  };
  const answerHere: Opener = {
    answer: (clinic, request, bindings) =>
      shares.run(clinic.id, () =>
        clinics.use(clinic, async (opened, release) => {
          const { outgoing } = bindings as HttpBindings;
          const answer = await opened.fetch(request, bindings as HttpBindings);
          // The answer of a stream goes on after this, and so does the use; a client that is gone already closes nothing more.
          if (outgoing.closed) release();
          else outgoing.once('close', release);
          return answer;
        }),
      ),
  };
  const opener: Opener =
    machines === null
      ? answerHere
      : {
          answer: (clinic, request, bindings) =>
            machines.answer(clinic, request, bindings, () => answerHere.answer(clinic, request, bindings)),
        };
  const assertReady = async (): Promise<void> => {
    if (machines?.leases.isHeld() === false) throw new Unavailable('this machine has no lease');
    await countClinics(db);
  };
  const knownClinics = createDirectory({
    read: (host) => findClinicByHost(db, host),
    clock,
    failed: (error) => log.error('directory', { cause: errorName(error) }),
  });
  const maker = createClinicMaker(settings);
  const hosting = createHosting({
    folder,
    settings,
    secrets,
    directory: db,
    maker,
    clinics,
    machines,
    held,
    backups,
    failuresOf,
    clock,
    changed: (id) => {
      knownClinics.changed();
      // Requests in progress are answered; no other is.
      clinics.leave(id);
      // Other settings may make something due.
      quietly(lowerDueAt(db, id, clock()));
    },
  });
  const operators: OperatorNeeds = {
    db,
    clock,
    hasher: hasher.hasherFor(operatorsKeyId),
    box: await createSettingsBox(operatorsKeyId, settings, secrets),
    isThrottled: settings.RATE_LIMIT !== 'off',
    clientAddress,
    hosting,
    commonPasswords,
    secret: operatorSecret(settings.OPERATOR_SECRET),
    log,
    mailer,
    signup: readSignup({
      isOn: settings.SIGNUP === 'on',
      origin: settings.PUBLIC_URL,
      mailer,
      background: background.add,
    }),
  };
  const own = createObservedApp(() => ({ config: settings, metrics, log, compress }));
  mountOwn(own.serve);
  mountDeployment(own.serve, { ...operators, publicFile, assertReady });
  const answerOwn = async (request: Request, bindings: unknown): Promise<Response> =>
    (await machines?.answerForOperators(request, bindings)) ?? own.app.fetch(request, { bindings });
  const front = createFront({
    formats: failureFormats,
    originsOf: (clinic) => originsOf(settings, clinic),
    directory: knownClinics,
    opener,
    ownPaths: (request, bindings) =>
      ownPath.test(new URL(request.url).pathname) ? answerOwn(request, bindings) : null,
    refused: (code, clinicId) => {
      if (clinicId !== null) log.warn('refused', { clinic: clinicId, code });
    },
  });
  const fetch = machines?.receiving(front) ?? front;
  const endWaits = (): void => {
    for (const one of waiters.values()) one.end();
  };
  return {
    fetch,
    turnAway,
    machines,
    /** Answers at one clinic, which the caller has found. */
    answer: opener.answer,
    clinics,
    directory: db,
    threads,
    backups,
    mailer,
    folder,
    endWaits,
    /** Closes every clinic; no request may be under way. */
    close: (): Promise<void> =>
      doEveryStep([
        maker.end,
        clinics.closeAll,
        background.settled,
        mailer.close,
        machines?.close,
        threads.close,
        directoryFile.close,
      ]),
  };
};

export type ManyClinics = Awaited<ReturnType<typeof createManyClinics>>;
