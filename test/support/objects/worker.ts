import { DurableObject } from 'cloudflare:workers';
import { ofClinics } from 'janji:migrations';
import { type Answer, type Call, executeAll } from '../../../src/core/db/object.ts';
import { migrateObject, type ObjectMigration } from '../../../src/core/db/object-migrations.ts';

export { Archive, Clinic, Directory, default, Sandbox } from '../../../src/worker-objects.ts';

/** A migrated object whose database the tests use from outside, each step as one call, as a Worker uses D1. */
export class Store extends DurableObject {
  runStep(calls: readonly Call[]): Answer[] {
    return executeAll(this.ctx.storage, calls);
  }

  migrate(migrations: readonly ObjectMigration[] = ofClinics): void {
    migrateObject(this.ctx.storage, migrations);
  }

  async empty(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /** The tables as they are, without those of the platform. */
  readSchema(): string {
    return JSON.stringify(
      this.ctx.storage.sql
        .exec("select type, name, sql from sqlite_master where name not glob '_cf_*' order by name")
        .toArray(),
    );
  }
}
