import { DurableObject } from 'cloudflare:workers';
import { type Answer, type Call, executeAll } from '../../../core/db/object.ts';
import type { ArchiveCalls, ObjectBindings } from './calls.ts';

/**
 * The class of the archives: each has the old bookings of one clinic, whose object alone calls it. It answers no request, and has
 * nothing until its clinic writes something to it.
 */
export class ArchiveObject extends DurableObject<ObjectBindings> implements ArchiveCalls {
  async runStep(calls: readonly Call[]): Promise<Answer[]> {
    return executeAll(this.ctx.storage, calls);
  }

  async measure(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }

  async erase(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
