import { DurableObject } from 'cloudflare:workers';
import { ofClinics } from 'janji:migrations';
import { isArchive } from '../../../core/archive/archive.ts';
import { beginArchivedCopy } from '../../../core/archive/copies.ts';
import { hourMs } from '../../../core/clinic/durations.ts';
import { ensureClinic } from '../../../core/clinic/row.ts';
import { dumpPagesWith, dumpStream } from '../../../core/db/copies/dump.ts';
import { restoredLines } from '../../../core/db/copies/layout.ts';
import {
  CopyRefused,
  type Part,
  PartOutOfTurn,
  type PartTaken,
  restorePart,
} from '../../../core/db/copies/restore.ts';
import { openObject } from '../../../core/db/object.ts';
import { migrateObject } from '../../../core/db/object-migrations.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { consoleLogger } from '../../../core/log.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import type { Argon2 } from '../../../modules/auth/passwords/hasher.ts';
import { newBookingCode } from '../../../modules/booking/record/code.ts';
import { firstLinkTtlMs } from '../../../modules/clinics/described.ts';
import { ClinicBroken } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { type ClinicRefusal, refuseAtClinic } from '../../../modules/clinics/refusals.ts';
import { freshMs } from '../../../modules/clinics/rules.ts';
import { originsOf } from '../../../modules/clinics/settings.ts';
import { seedDemo } from '../../../modules/demo/demo.ts';
import { countToday } from '../../../modules/operators/figure-queries.ts';
import type { PastMoment } from '../../../modules/operators/hosting.ts';
import { makeSetupLink } from '../../../modules/setup/link.ts';
import { afterAnswers } from '../background.ts';
import {
  type ArchiveCalls,
  type ClinicCalls,
  type Described,
  type NewClinic,
  needsArchive,
  needsSandboxes,
  type ObjectBindings,
  type RefusedPart,
} from './calls.ts';
import { type ClinicArchive, findClinicArchive, isNoted } from './clinic-archive.ts';
import { archiveOf } from './clinic-of.ts';
import { hasSandbox } from './clinic-sandbox.ts';
import { type Assemble, type OpenSandboxOf, type OpenService, openObjectService } from './clinic-service.ts';
import { beginCopying, type Copying } from './copying.ts';
import { hasherOfFronts, withFront } from './front-hasher.ts';
import { CannotRewind, rewindStorage } from './rewind.ts';

/** How the object remembers the clinic that it is, for when it wakes by itself. */
const entryKey = 'clinic';
/** Until when what it was told of the clinic goes before what a front says. */
const untilKey = 'clinic until';
/** How long a clinic that could not be opened is left alone, in milliseconds. */
const brokenMs = 30_000;
/** When a clinic that could not be opened wakes again. */
const brokenWakeMs = hourMs;
/** How long what is written waits for a copy, at most. */
const longestCopyMs = 30_000;
/** How long nothing goes to the archive while that is read, at most. */
const longestArchivedCopyMs = hourMs;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

interface Opened {
  /** The clinic as it was opened: the parts that its service depends on, as text. */
  of: string;
  service: Promise<OpenService>;
  /** When it failed, and why. */
  failed?: { at: number; problem: string };
}

/** The class of the objects: each has one clinic with its database. */
export const clinicObject = (given: { assemble: Assemble; openSandbox: OpenSandboxOf }) =>
  class extends DurableObject<ObjectBindings> implements ClinicCalls {
    #problem: string | null = null;
    #opened: Opened | null = null;
    #copying: Copying | null = null;
    /** Whether a copy is being made: of its own rows first, and then of those in the archive. */
    #isCopied = false;
    #archive: Promise<ClinicArchive> | null = null;
    /**
     * What it was told last, also before it was evicted. Until every front has read the directory again, some ask with what that said
     * before; and for an hour where they cannot read it.
     */
    #told: { clinic: ClinicEntry; until: number } | null = null;

    constructor(...its: ConstructorParameters<typeof DurableObject<ObjectBindings>>) {
      super(...its);
      void this.ctx.blockConcurrencyWhile(async () => {
        this.#migrate();
        const clinic = await this.ctx.storage.get<ClinicEntry>(entryKey);
        const until = await this.ctx.storage.get<number>(untilKey);
        if (clinic !== undefined) this.#told = { clinic, until: until ?? 0 };
      });
    }

    #migrate(): void {
      try {
        migrateObject(this.ctx.storage, ofClinics);
        this.#problem = null;
      } catch (error) {
        this.#problem = messageOf(error);
      }
    }

    /**
     * Its archive, which is an object of its own; null where the deployment has none. Where one of before was deployed again and
     * something is there, whatever is asked of it fails: what is without it would count as all there is.
     */
    async #archiveOf(clinic: Pick<ClinicEntry, 'id' | 'timeZone'>): Promise<ClinicArchive | null> {
      const { storage } = this.ctx;
      if (archiveOf(this.env, clinic) === undefined && !(await isNoted(storage))) return null;
      const call = (): ArchiveCalls => {
        const archive = archiveOf(this.env, clinic);
        if (archive === undefined) throw new ClinicBroken(needsArchive);
        return archive;
      };
      this.#archive ??= findClinicArchive({ storage, clinicId: clinic.id, timeZone: clinic.timeZone, call });
      return this.#archive;
    }

    #log(clinicId: string, cause: string): void {
      consoleLogger('error').error('clinic cannot be opened', { clinic: clinicId, cause });
    }

    #open(clinic: ClinicEntry): Promise<OpenService> {
      const { name, timeZone, settings, hosts } = clinic;
      const of = JSON.stringify([name, timeZone, settings, hosts]);
      const before = this.#opened;
      const now = Date.now();
      if (before?.of === of && (before.failed === undefined || now - before.failed.at < brokenMs))
        return before.service;
      const opened: Opened = { of, service: this.#openAnew(clinic) };
      this.#opened = opened;
      opened.service.catch((error: unknown) => {
        opened.failed = { at: now, problem: messageOf(error) };
        this.#log(clinic.id, opened.failed.problem);
      });
      return opened.service;
    }

    async #openAnew(clinic: ClinicEntry): Promise<OpenService> {
      if (this.#problem !== null) this.#migrate();
      if (this.#problem !== null) throw new Error(this.#problem);
      if (restoredLines(this.ctx.storage) !== null) throw new Error('a copy is being restored into it');
      await this.ctx.storage.put(entryKey, clinic);
      const service = await openObjectService(given, clinic, {
        storage: this.ctx.storage,
        bindings: this.env,
        clock: Date.now,
        background: afterAnswers(consoleLogger('error'), (work) => this.ctx.waitUntil(work)),
        mayWrite: () => this.#copying?.ended,
        archive: await this.#archiveOf(clinic),
      });
      // What became due while no code of it ran.
      await service.alarm.settle();
      return service;
    }

    async serve(asked: ClinicEntry, request: Request, front: Argon2): Promise<Response> {
      const told = this.#told;
      const isBefore =
        told !== null && (Date.now() < told.until || asked.stateSince < told.clinic.stateSince);
      const clinic = isBefore ? told.clinic : asked;
      const refuse = (code: ClinicRefusal): Response =>
        refuseAtClinic(request, code, failureFormats, {
          ...(code === 'unavailable' && { retryAfterSeconds: brokenMs / 1000 }),
          origins: originsOf({ CORS_ORIGINS: this.env.CORS_ORIGINS }, clinic),
        });
      if (clinic.state === 'closed') return refuse('clinic_closed');
      let service: OpenService;
      try {
        service = await this.#open(clinic);
      } catch {
        return refuse('unavailable');
      }
      return withFront(front, () => service.fetch(request));
    }

    async create(clinic: ClinicEntry, { demo, origin }: NewClinic, front: Argon2): Promise<string | null> {
      if (this.#problem !== null) throw new Error(this.#problem);
      const db = openObject(this.ctx.storage);
      await ensureClinic(db, clinic.timeZone, clinic.id);
      if (!demo) return makeSetupLink(db, clinic.id, origin, Date.now(), firstLinkTtlMs);
      await withFront(front, () => seedDemo(db, hasherOfFronts(), Date.now()));
      return null;
    }

    async link(clinic: ClinicEntry, origin: string): Promise<string | null> {
      const { deps } = await this.#open(clinic);
      const { hasAdmin } = await ensureClinic(deps.db, clinic.timeZone, clinic.id);
      return hasAdmin ? null : makeSetupLink(deps.db, clinic.id, origin, Date.now(), firstLinkTtlMs);
    }

    async dump(): Promise<ReadableStream<Uint8Array>> {
      if (this.#problem !== null) throw new Error(this.#problem);
      const clinic = await this.ctx.storage.get<ClinicEntry>(entryKey);
      const archive = clinic === undefined ? null : await this.#archiveOf(clinic);
      if (this.#isCopied) throw new Unavailable('another copy is being made');
      this.#isCopied = true;
      const own = beginCopying(longestCopyMs, () => {
        this.#copying = null;
      });
      this.#copying = own;
      let release = (): void => {};
      const whole = beginCopying(longestArchivedCopyMs, () => {
        this.#isCopied = false;
        own.end();
        release();
      });
      try {
        release = (await archive?.hold()) ?? release;
        const further = await this.#copyArchived(archive);
        return dumpStream(dumpPagesWith(this.ctx.storage, further, own.end), {
          assertGoing: () => {
            own.assertGoing();
            whole.assertGoing();
          },
          end: whole.end,
        });
      } catch (error) {
        whole.end();
        throw error;
      }
    }

    #copyArchived(archive: ClinicArchive | null) {
      if (archive === null) return async function* () {};
      return beginArchivedCopy(openObject(this.ctx.storage), archive.direct, newBookingCode);
    }

    async restore(clinic: ClinicEntry, part: Part): Promise<PartTaken | RefusedPart> {
      if (this.#problem !== null) throw new Error(this.#problem);
      // What is open holds nothing of the new rows.
      this.#opened = null;
      const archive = part.after === 0 ? await this.#archiveOf(clinic) : null;
      if (archive !== null && (await isArchive(archive.direct)))
        return {
          refused: 'The clinic is not empty: it has an archive. A copy fills a new one.',
          lines: null,
        };
      try {
        return restorePart(this.ctx.storage, part, clinic.timeZone);
      } catch (error) {
        if (error instanceof PartOutOfTurn) return { refused: error.message, lines: error.lines };
        if (error instanceof CopyRefused) return { refused: error.message, lines: null };
        throw error;
      }
    }

    async rewind(
      { createdAt }: ClinicEntry,
      to: PastMoment,
    ): Promise<{ undo: string } | { refused: string }> {
      try {
        return { undo: await rewindStorage(this.ctx.storage, to, { madeAt: createdAt, now: Date.now() }) };
      } catch (error) {
        if (error instanceof CannotRewind) return { refused: error.message };
        throw error;
      }
    }

    async rememberArchive(clinic: ClinicEntry): Promise<void> {
      await (await this.#archiveOf(clinic))?.remember();
    }

    async restart(): Promise<void> {
      this.ctx.abort('restarted');
    }

    async note(clinic: ClinicEntry): Promise<void> {
      const { storage } = this.ctx;
      const until = Date.now() + freshMs;
      this.#told = { clinic, until };
      await storage.put({ [entryKey]: clinic, [untilKey]: until });
      if (clinic.state === 'closed') return storage.deleteAlarm();
      // It is opened, and finds what has become due meanwhile.
      this.#opened = null;
      await this.#open(clinic).catch(() => {});
    }

    async describe(): Promise<Described> {
      const { storage } = this.ctx;
      const [row] = storage.sql.exec('select max(created_at) as made_at from __drizzle_migrations').toArray();
      const at = ofClinics.findIndex(({ madeAt }) => madeAt === row?.made_at);
      const problem = this.#problem ?? this.#opened?.failed?.problem ?? null;
      const clinic = await storage.get<ClinicEntry>(entryKey);
      const restored = this.#problem === null ? restoredLines(storage) : null;
      const isServed = problem === null && restored === null && clinic?.state === 'open';
      const archive = clinic === undefined ? null : await this.#archiveOf(clinic);
      const archiveBytes =
        clinic !== undefined && archive?.isThere()
          ? await archiveOf(this.env, clinic)
              ?.measure()
              .catch(() => null)
          : null;
      return {
        archiveBytes: archiveBytes ?? null,
        bytes: storage.sql.databaseSize,
        schema: ofClinics[at]?.name ?? null,
        isCurrent: at === ofClinics.length - 1,
        bookingsToday: isServed ? await countToday(openObject(storage), clinic.timeZone, Date.now()) : null,
        wakesAt: await storage.getAlarm(),
        problem,
        restoredLines: restored,
      };
    }

    async erase(): Promise<void> {
      const { storage } = this.ctx;
      // Nobody would empty them, and the next clinic of this id would find the archive.
      if (this.env.ARCHIVE === undefined && (await isNoted(storage))) throw new Error(needsArchive);
      if (this.env.SANDBOXES === undefined && (await hasSandbox(storage))) throw new Error(needsSandboxes);
      await storage.deleteAlarm();
      await storage.deleteAll();
      // What is left in memory is of a clinic that is gone.
      this.#opened = null;
      this.#archive = null;
      this.#told = null;
      this.#migrate();
    }

    async alarm(): Promise<void> {
      const clinic = await this.ctx.storage.get<ClinicEntry>(entryKey);
      if (clinic === undefined || clinic.state === 'closed') return;
      let service: OpenService;
      try {
        service = await this.#open(clinic);
      } catch {
        // A new version may be able to open it.
        return this.ctx.storage.setAlarm(Date.now() + brokenWakeMs);
      }
      service.alarm.woken();
      await service.alarm.ran(await service.rounds.run());
    }
  };
