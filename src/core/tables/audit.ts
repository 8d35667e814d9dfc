import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant } from '../db/columns.ts';

/**
 * The lines of the audit trail (`security_events`) in blocks, each with the hash of the block before it, so that a
 * later change is detected.
 */
export const auditBlocks = sqliteTable(
  'audit_blocks',
  {
    /** Without gaps; if two processes seal the same number, only one block is made. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    /** Its lines are those after the block before, up to this one. */
    lastSequence: integer('last_sequence').notNull(),
    lines: integer('lines').notNull(),
    /** When the latest of its lines happened: it decides until when they are retained. */
    newestAt: instant('newest_at').notNull(),
    sealedAt: instant('sealed_at').notNull(),
    linesHash: text('lines_hash').notNull(),
    /** Empty in the first block. */
    previousHash: text('previous_hash').notNull(),
    /** Of all of the above. */
    hash: text('hash').notNull(),
    /** The key of the seal, and the keyed hash: it cannot be made with the database alone. */
    keyId: text('key_id').notNull(),
    seal: text('seal').notNull(),
  },
  (t) => [
    uniqueIndex('audit_blocks_last').on(t.lastSequence),
    index('audit_blocks_key').on(t.keyId, t.number),
  ],
);
