import { describe, expect, it } from 'vitest';
import { runAll } from '../../src/core/db/db.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { everydayTypes } from '../../src/core/tables/words.ts';
import { recordSecurityEvent } from '../../src/modules/auth/audit/queries.ts';
import { createWorld } from '../support/world.ts';

describe('the audit trail', () => {
  it.each(['role_changed', ...everydayTypes] as const)(
    'records an event once, however often its write is tried again: %s',
    async (type) => {
      const { db, deps, clock } = await createWorld();
      const event = {
        writeId: deps.newId(),
        type,
        userId: deps.newId(),
        actorId: deps.newId(),
        now: clock.now,
        ...(type === 'role_changed' && { detail: { from: 'patient', to: 'staff' } }),
      };
      await runAll(db, [recordSecurityEvent(db, event)]);
      await runAll(db, [
        recordSecurityEvent(db, event),
        recordSecurityEvent(db, { ...event, writeId: deps.newId() }),
      ]);
      const rows = await db.select().from(securityEvents);
      expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(rows[0]).toMatchObject({
        type,
        occurredAt: clock.now,
        detail: type === 'role_changed' ? '{"from":"patient","to":"staff"}' : null,
      });
    },
  );
});
