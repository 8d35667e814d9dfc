import { describe, expect, it } from 'vitest';
import { recordSecurityEvent } from '../../src/auth/audit/queries.ts';
import { runAll } from '../../src/db/db.ts';
import { securityEvents } from '../../src/tables/accounts.ts';
import { createWorld } from '../support/world.ts';

describe('the audit trail', () => {
  it('records an event once, however often its write is tried again', async () => {
    const { db, deps, clock } = await createWorld();
    const event = {
      writeId: deps.newId(),
      type: 'role_changed' as const,
      userId: deps.newId(),
      actorId: deps.newId(),
      now: clock.now,
      detail: { from: 'patient', to: 'staff' },
    };
    await runAll(db, [recordSecurityEvent(db, event)]);
    await runAll(db, [recordSecurityEvent(db, event)]);
    const rows = await db.select().from(securityEvents);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      type: 'role_changed',
      occurredAt: clock.now,
      detail: '{"from":"patient","to":"staff"}',
    });
  });
});
