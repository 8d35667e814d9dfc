import { DurableObject } from 'cloudflare:workers';
import { ofClinics } from 'janji:migrations';
import { type Answer, type Call, executeAll } from '../../../core/db/object.ts';
import { migrateObject } from '../../../core/db/object-migrations.ts';
import type { ObjectBindings, SandboxCalls } from './calls.ts';

/**
 * The class of the sandboxes: each has the demo clinic beside one clinic, whose object alone calls it. So that it is never a clinic's,
 * whatever the ids of clinics are, it is of another class than those.
 */
export class SandboxObject extends DurableObject<ObjectBindings> implements SandboxCalls {
  #isMigrated = false;

  async runStep(calls: readonly Call[]): Promise<Answer[]> {
    if (!this.#isMigrated) migrateObject(this.ctx.storage, ofClinics);
    this.#isMigrated = true;
    return executeAll(this.ctx.storage, calls);
  }

  async erase(): Promise<void> {
    this.#isMigrated = false;
    await this.ctx.storage.deleteAll();
  }
}
