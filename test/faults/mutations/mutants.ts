import { admitTwins, change, type Edit, type Mutant, remove } from './edits.ts';
import {
  ofAnswers,
  ofEntries,
  ofLapses,
  ofNotices,
  ofOffers,
  ofReleases,
  ofSeries,
  ofTwins,
} from './reaching.ts';
import { ofPlanning } from './telling/planning.ts';

const seats = 'src/modules/booking/seats/queries.ts';
const guards = 'src/modules/booking/seats/guards.ts';
const effects = 'src/modules/booking/changes/effects.ts';
const changes = 'src/modules/booking/changes/queries.ts';

/** Both triggers stay and refuse no twins any more. */
const allowTwins = (trigger: string, columns: string): readonly Edit[] =>
  [
    `CREATE TRIGGER \`${trigger}\` AFTER INSERT ON \`bookings\` WHEN`,
    `CREATE TRIGGER \`${trigger}_moved\` AFTER UPDATE OF ${columns} ON \`bookings\`\nWHEN`,
  ].map((text) => change('drizzle', text, `${text} false AND`));

const clash = remove(seats, `sql\`\${clashOfPatient} is null\`,`);
const versionOfMove = remove(seats, `sql\`\${bookings.version} = r.version\`,`);
const versionOfChange = remove(changes, `sql\`\${bookings.version} = r.version\`,`);
const effectsOnce = change(effects, `where \${notWrittenFor(sql\`b.id\`)}\``, 'where true`');
const countedSeat = change(
  guards,
  `(select min(s.seat) from (select 1 as seat union all select o.seat + 1 \${othersAtStart}) s\n  where not exists (select 1 \${othersAtStart} and o.seat = s.seat))`,
  `(select count(*) + 1 \${othersAtStart})`,
);

/** Statements that take effect one by one, as though a batch were no atomic step. */
const oneByOne = change(
  'src/core/db/db.ts',
  `  if (statements.some((statement) => recognising.has(statement))) return persist(() => db.batch(statements));
  return db.batch(statements);`,
  `  const attempt = async () => {
    const results = [];
    for (const statement of statements) results.push((await db.batch([statement]))[0]);
    return results;
  };
  return statements.some((statement) => recognising.has(statement)) ? persist(attempt) : attempt();`,
);

// A guard that another guard duplicates is not missed alone. Such pairs are removed together: a unique index with the
// guard that decides, and a change's checks of its key, its write id and its version.
const ofBookings: Record<string, readonly Edit[]> = {
  'all in one step': [oneByOne],
  'a seat is free': [change(seats, '    seatFree,\n    doctorFree,\n', '    doctorFree,\n')],
  'five seats beyond the capacity, and no more': [
    change(guards, '< r.capacity + r.beyond\n', '< r.capacity + 3 * r.beyond\n'),
  ],
  'a seat beyond the capacity is called so': [
    change(seats, 'overbooked: isOverbooked', 'overbooked: sql`0`'),
  ],
  'the doctor is free': [change(seats, '    seatFree,\n    doctorFree,\n', '    seatFree,\n')],
  'the patient is free': [clash],
  'the patient is free, with its triggers': [
    clash,
    ...allowTwins('bookings_patient_start', '`patient_id`, `starts_at`, `status`'),
  ],
  'the patient has room': [change(seats, '    roomForPatient,\n    proofOrFew,', '    proofOrFew,')],
  "the doctor's calendar is as it was": [remove(guards, '\n  and d.calendar_version = r.doctor_version')],
  "the clinic's calendar is as it was": [remove(guards, '\n  and c.calendar_version = r.clinic_version')],
  'the login lives': [remove(guards, '\n  and l.revoked_at is null and l.expires_at > r.now')],
  'the key stands': [remove(guards, ' and k.revoked_at is null')],
  'the role holds': [remove(guards, ' and u.role = r.actor_role')],
  'no response is stored: a seat': [
    change(seats, '    notReplayed,\n    notWrittenYet,', '    notWrittenYet,'),
  ],
  'no response is stored: a change, with its version': [
    versionOfChange,
    change(changes, '  notReplayed,\n  notWrittenYet,\n);', '  notWrittenYet,\n);'),
  ],
  'not written yet: a seat': [change(seats, '    notReplayed,\n    notWrittenYet,', '    notReplayed,')],
  'not written yet: a change, with its version': [
    versionOfChange,
    change(changes, '  notReplayed,\n  notWrittenYet,\n);', '  notReplayed,\n);'),
  ],
  'not written yet: the effects': [effectsOnce],
  'not written yet: the effects, with their index': [effectsOnce, admitTwins('booking_events_version')],
  'the lowest seat': [countedSeat],
  'the lowest seat, with its triggers': [
    countedSeat,
    ...allowTwins('bookings_seat', '`doctor_id`, `schedule_date`, `starts_at`, `seat`, `status`'),
  ],
  'the number of the queue is raised': [
    change(effects, '...(change.takesTicket ? [raiseQueue(db, writtenBy(change))] : []),', ''),
  ],
  'the number comes from the counter': [
    change(
      guards,
      'select q.last_number from queues q where q.doctor_id = r.doctor_id\n  and q.schedule_date = r.schedule_date and q.session_id = r.session_id',
      'select max(q.queue_number) from bookings q where q.doctor_id = r.doctor_id\n  and q.schedule_date = r.schedule_date and q.session_id = r.session_id',
    ),
  ],
  'a move to another queue takes a number': [
    change(seats, 'queueNumber: queueNumberAfterMove', `queueNumber: sql\`\${bookings.queueNumber}\``),
  ],
  'a move to another queue takes a label': [
    change(seats, 'queueLabel: queueLabelAfterMove', `queueLabel: sql\`\${bookings.queueLabel}\``),
  ],
  'the first booking of a queue gives it a prefix': [
    change('src/modules/booking/changes/create.ts', '...prefix, ...(mayHold', '...(mayHold'),
  ],
  'letters are given to one queue': [
    remove(seats, ' where not exists (select 1 from queue_prefixes p where p.prefix = named.prefix)'),
    change('drizzle', '`prefix` text PRIMARY KEY NOT NULL', '`prefix` text NOT NULL'),
  ],
  'the response is stored': [
    change(effects, '...(response === null ? [] : [replayToStore(db, change, response)]),', ''),
  ],
  'the event is written': [
    change(
      effects,
      'recognisesRepeat(recordEvent(db, toEvent(change))),',
      "...(change.type === 'booking.approved' ? [] : [recognisesRepeat(recordEvent(db, toEvent(change)))]),",
    ),
  ],
  'the version of a move': [versionOfMove],
  'the version of a move, with its index': [versionOfMove, admitTwins('booking_events_version')],
  'the version of a change': [versionOfChange],
  'the version of a change, with its index': [versionOfChange, admitTwins('booking_events_version')],
  'a key names one request': [
    change(
      'src/core/idempotency/key.ts',
      "if (stored.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused');",
      'void [stored, fingerprint];',
    ),
  ],
};

const nextCall = 'src/modules/booking/queue/next-queries.ts';
const versionOfNext = remove(nextCall, `sql\`\${bookings.version} = r.choice ->> '$.version'\`,`);

const ofCalls: Record<string, readonly Edit[]> = {
  'nobody is called twice: the write chooses, with the version': [
    versionOfNext,
    change(
      nextCall,
      `\${firstThere} as first_id from r`,
      'json_each.key as first_id from r, json_each(r.choices) limit 1',
    ),
  ],
  'no response is stored: the next': [
    change(nextCall, '        notReplayed,\n        notCalledYet,', '        notCalledYet,'),
  ],
  'not written yet: the next': [
    change(nextCall, '        notReplayed,\n        notCalledYet,', '        notReplayed,'),
  ],
};

const attempts = 'src/modules/webhooks/delivery/attempt-queries.ts';
const fanOut = 'src/modules/webhooks/delivery/fan-out-queries.ts';

const ofDeliveries: Record<string, readonly Edit[]> = {
  'fan-out and cursor in one step': [oneByOne],
  'an attempt under way is nobody else’s': [
    remove(attempts, '\n        and (d.lease_until is null or d.lease_until <= r.now)'),
  ],
  'a lease that ended can be taken over': [
    change(attempts, 'and (d.lease_until is null or d.lease_until <= r.now)', 'and d.lease_until is null'),
  ],
  'the oldest of a booking goes first': [
    change(
      attempts,
      "and p.state = 'pending' and p.sequence < d.sequence",
      "and p.state = 'pending' and 1 = 0",
    ),
  ],
  'a lost lease settles nothing': [remove(attempts, ` and \${webhookDeliveries.leaseId} = r.lease_id`)],
  'a receipt is written down': [
    change('src/modules/webhooks/delivery/settle.ts', "state: 'delivered',", "state: 'pending',"),
  ],
  'the cursor steps on, with the index': [
    change('src/modules/webhooks/delivery/deliver.ts', ', stepCursors(db, {})]', ']'),
    admitTwins('webhook_deliveries_event'),
    remove(fanOut, '.onConflictDoNothing()'),
  ],
};

const merges = 'src/modules/patients/merge/queries.ts';

const ofPatients: Record<string, readonly Edit[]> = {
  'the record of a booking stands': [change(seats, '    patientStands,\n    sql`', '    sql`')],
  'the bookings of two merged records do not overlap': [
    remove(
      merges,
      `    sql\`not exists (select 1 from \${overlapping(sql\`r.source\`, sql\`r.target\`)})\`,\n`,
    ),
  ],
  'the bookings that move are as they were read': [change(merges, '    movesAreCurrent,\n', '')],
  'a merge leaves no booking behind': [remove(merges, `    sql\`(r.is_last = 0 or \${nothingIsLeft})\`,\n`)],
  'each booking that moves has its event': [
    remove(
      'src/modules/patients/merge/step.ts',
      `    events: recordMoves(db, {
      ...moving,
      type: 'booking.updated',
      actorId,
      actorRole: by.role,
      requestId: by.requestId,
    }),\n`,
    ),
  ],
  'the relations move with the record': [
    remove('src/modules/patients/merge/step.ts', '    relations: copyRelations(db, { writeId, ...ids }),\n'),
  ],
  'the offers of two merged records are as they were read': [change(merges, '    offersAreCurrent,\n', '')],
  'a merge leaves one of two offers': [
    change('src/modules/patients/merge/waitlist.ts', 'if (ended.length === 0) return', 'return'),
  ],
  'a merge leaves one of two equal wishes': [
    change('src/modules/patients/merge/waitlist.ts', 'endTwins(db, { ...ids, now }), ', ''),
  ],
  'a family has room': [
    change(
      'src/modules/patients/family/queries.ts',
      `securityEventWhen(sql\`\${hasRoom} and `,
      'securityEventWhen(sql`',
    ),
  ],
  'a confirmed number is unique, by its index': [admitTwins('patients_national_id')],
};

const erasure = 'src/modules/patients/erasure/actions.ts';

const ofDeletions: Record<string, readonly Edit[]> = {
  'nobody’s record takes no booking': [remove(guards, '\n  and p.erasure_id is null')],
  'what is to come goes with the person': [
    remove(erasure, '    canceled: cancelComing(db, { ...ids, now }),\n'),
  ],
  'each booking that a deletion cancels has its event': [
    remove(erasure, '    cancellations: recordCancellations(db, { ...ids, now, requestId }),\n'),
  ],
  'nothing is left of whom a record was': [
    remove(erasure, '    cleared: clearRecords(db, { writeId, now }),\n'),
  ],
};

const factors = 'src/modules/auth/factors/queries.ts';

const ofFactors: Record<string, readonly Edit[]> = {
  'a code is good once': [
    change(factors, 'is not null and (f.counter < r.counter', 'is not null and (f.counter <> -1'),
  ],
  'a copied passkey is refused': [
    change(factors, "f.kind = 'passkey' and f.counter = 0 and r.counter = 0", "f.kind = 'passkey'"),
  ],
  'an account has ten passkeys at most': [
    change(
      'src/modules/auth/factors/passkey-queries.ts',
      "and f.kind = 'passkey') <",
      "and f.kind = 'none') <",
    ),
  ],
  'a passkey confirms once by a challenge': [
    remove(
      'src/modules/auth/reauthentication/queries.ts',
      ' and not exists (select 1 from device_logins l where l.id = r.device_login_id\n    and l.proved_at >= r.issued_at)',
    ),
  ],
  'a recovery code is good once': [remove(factors, '\n  and c.used_at is null')],
  'a challenge is good once': [
    remove(
      'src/modules/auth/login/queries.ts',
      ' and not exists (select 1 from device_logins l where l.id = r.device_login_id)',
    ),
  ],
  'the last admin stays open': [
    remove('src/modules/people/queries.ts', `\n    and (u.role <> 'admin' or \${adminBeside('user_id')})`),
  ],
};

const ofAudit: Record<string, readonly Edit[]> = {
  'two who seal at once make one chain': [
    change('drizzle', '`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL', '`number` integer NOT NULL'),
    admitTwins('audit_blocks_last'),
  ],
  'a record is written down before it is shown': [
    change(
      'src/pipeline/authenticated-route.ts',
      "if (actor.role !== 'patient') await disclose(context, given);",
      "if (actor.role !== 'patient') void disclose(context, given).catch(() => {});",
    ),
  ],
  'a list has one line an hour': [
    change('src/modules/auth/audit/reads.ts', 'writeId: await deriveId(deps, key)', 'writeId: deps.newId()'),
  ],
  'a list is remembered once its line is written': [
    change(
      'src/modules/auth/audit/reads.ts',
      'if (known.has(key)) return;',
      'if (known.has(key)) return;\n      known.add(key);',
    ),
  ],
};

const toMutants = (stress: Mutant['stress'], all: Record<string, readonly Edit[]>): Mutant[] =>
  Object.entries(all).map(([name, edits]) => ({ name, stress, edits }));

export const mutants: readonly Mutant[] = [
  ...toMutants('bookings', ofBookings),
  ...toMutants('bookings', ofCalls),
  ...toMutants('deliveries', ofDeliveries),
  ...toMutants('patients', ofPatients),
  ...toMutants('patients', ofDeletions),
  ...toMutants('factors', ofFactors),
  ...toMutants('audit', ofAudit),
  ...[ofOffers, ofLapses, ofReleases, ofAnswers, ofEntries, ofSeries, ofTwins].flatMap((all) =>
    toMutants('waitlist', all),
  ),
  ...toMutants('notices', { ...ofNotices, ...ofPlanning }),
];
