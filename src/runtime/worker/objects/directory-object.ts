import { DurableObject } from 'cloudflare:workers';
import { ofDirectory } from 'janji:migrations';
import { type Answer, type Call, executeAll } from '../../../core/db/object.ts';
import { migrateObject } from '../../../core/db/object-migrations.ts';
import type { DirectoryCalls, ObjectBindings } from './calls.ts';

/** The directory of all clinics: one object, which front Workers ask once a minute for a host. */
export class DirectoryObject extends DurableObject<ObjectBindings> implements DirectoryCalls {
  constructor(...given: ConstructorParameters<typeof DurableObject<ObjectBindings>>) {
    super(...given);
    void this.ctx.blockConcurrencyWhile(async () => migrateObject(this.ctx.storage, ofDirectory));
  }

  async runStep(calls: readonly Call[]): Promise<Answer[]> {
    return executeAll(this.ctx.storage, calls);
  }
}
