// The guards of what reaches people: the waitlist, series and notices.

import { admitTwins, change, type Edit, remove } from './edits.ts';

const offer = 'src/modules/booking/seats/offer-queries.ts';
const guards = 'src/modules/booking/seats/guards.ts';
const accepting = 'src/modules/booking/waitlist/accept-queries.ts';
const answers = 'src/modules/booking/waitlist/accept.ts';
const entries = 'src/modules/booking/waitlist/queries.ts';
const ordering = 'src/modules/booking/waitlist/order-queries.ts';
const actions = 'src/modules/booking/waitlist/entries.ts';
const confirming = 'src/modules/booking/confirming/queries.ts';

const heldByPatient = ` and \${holdsNone}`;
const overlapsNone = `not exists (select 1 from bookings o where o.patient_id = w.patient_id
  and o.starts_at > r.starts_at - \${longest} and o.starts_at < r.ends_at and o.ends_at > r.starts_at
  and o.status <> 'canceled') and `;
const versionOfAccept = change(
  accepting,
  `\${bookings.version} = r.version and \${bookings.startsAt} = r.starts_at
          and \${bookings.status} = 'waiting' and \${bookings.heldUntil} > r.now`,
  `\${bookings.startsAt} = r.starts_at`,
);

export const ofOffers: Record<string, readonly Edit[]> = {
  'an offer names the doctor that is wished': [
    change(offer, '(w.doctor_id is null or w.doctor_id = r.doctor_id)', '(1)'),
  ],
  'an offer lies within the dates': [
    remove(offer, '\n  and r.schedule_date between w.from_date and w.to_date'),
  ],
  'an offer begins early enough': [
    remove(offer, '\n  and (w.latest_time is null or r.schedule_time <= w.latest_time)'),
  ],
  'an offer begins late enough': [
    remove(offer, '\n  and (w.earliest_time is null or r.schedule_time >= w.earliest_time)'),
  ],
  'nobody is offered whose record was merged': [
    change(offer, 'where p.id = w.patient_id and p.merged_into is null', 'where p.id = w.patient_id'),
  ],
  'whoever waits for a relative still acts for them': [remove(offer, ' and f.ended_at is null')],
  'nobody is offered a seat beside a visit': [remove(offer, overlapsNone)],
  'nobody holds two offers': [remove(offer, heldByPatient)],
  'nobody is offered again what they declined': [
    change(
      offer,
      "((o.held_until is not null and o.cancel_reason_code is not 'closure') or o.canceled_by = 'patient')",
      "(o.canceled_by = 'patient' and o.held_until is null)",
    ),
  ],
  'nobody is offered what they gave back': [remove(offer, " or o.canceled_by = 'patient'")],
  'who leaves a seat is not offered it': [remove(offer, ' and w.patient_id is not r.freed_patient_id')],
  'the first of the list comes first': [
    change(offer, 'order by w.position, w.id limit 1', 'order by w.id limit 1'),
  ],
  'a seat is offered that is in the schedule': [
    change(offer, `\${isInWindow} and \${isOffered} and `, `\${isInWindow} and `),
  ],
  'a seat is offered within the capacity': [
    change(offer, `+ \${seatsHeld} < s.capacity)`, `+ \${seatsHeld} < s.capacity + 1)`),
  ],
  'a seat is offered that no closure covers': [remove(offer, `\${isOpen} and `)],
  'a closure of hours covers what lies in them': [
    change(
      offer,
      `+ \${minutesLong} > \${minuteIn(sql\`x.start_time\`)}`,
      `> \${minuteIn(sql\`x.start_time\`)}`,
    ),
  ],
  'a seat is offered in time': [
    change(offer, 'r.starts_at >= r.now + 60000 *', 'r.starts_at >= r.now + 0 *'),
  ],
  'a seat is offered that is not too far': [
    change(offer, "date(r.today, '+' ||", "date(r.today, '+9 days', '+' ||"),
  ],
  'nothing is offered while the zone moves': [remove(offer, ' and c.rezoning_to is null')],
  'a seat is offered that was freed': [
    change(offer, `\${wasFreed} and \${notWrittenYet}`, `\${notWrittenYet}`),
  ],
  'not written yet: an offer, with whether it was freed': [
    change(offer, `\${wasFreed} and \${notWrittenYet} and`, 'true and'),
  ],
  'not written yet: the event of an offer': [change(offer, `where \${notWrittenYet}\`,`, 'where true`,')],
  'an offer leaves the doctor free': [change(offer, `\${isOpen} and \${doctorFree}`, `\${isOpen}`)],
  'an offer takes the lowest seat': [change(offer, 'seat: lowestFreeSeat', 'seat: sql`1`')],
  'a retired doctor is not offered': [remove(offer, ' and d.retired_at is null')],
  'a retired session is not offered': [remove(offer, ' and n.retired_at is null')],
  'an offer has its event': [
    remove(
      'src/modules/booking/seats/offers.ts',
      '\n    recordOffer(db, { ...ids, requestId, payload: JSON.stringify(payload), now }),',
    ),
  ],
  'what is canceled is offered': [
    change('src/modules/booking/changes/change.ts', '...offerFreed(context, booking, next)', ''),
  ],
  'what is moved away from is offered': [
    remove('src/modules/booking/changes/reschedule.ts', '\n      ...offerFreed(context, booking, next),'),
  ],
};

export const ofLapses: Record<string, readonly Edit[]> = {
  'a booking ends what is over': [
    change(
      'src/modules/booking/changes/create.ts',
      'mayHoldLapsed ? withoutLapsed(context, seat) : []',
      '[]',
    ),
  ],
  'a move ends what is over': [
    remove('src/modules/booking/changes/reschedule.ts', '\n      ...withoutLapsed(context, seat),'),
  ],
  'a series ends what is over': [
    remove('src/modules/booking/series/book.ts', '\n      ...withoutLapsed(context, first.seat),'),
  ],
  'what comes free ends what is over': [
    change(
      'src/modules/booking/seats/offers.ts',
      'return [...withoutLapsed(asking, { writeId, doctorId, patientId }, sessionId), ...offer];',
      'return offer;',
    ),
  ],
  'an offer is over for its own patient too': [remove(guards, ' or o.patient_id = r.patient_id')],
  'an offer is over for whoever comes to the doctor': [remove(guards, 'o.doctor_id = r.doctor_id or ')],
  'an offer is over for whoever waits for another': [
    remove(
      guards,
      '\n  or exists (select 1 from waitlist_entries w where w.patient_id = o.patient_id and w.session_id = r.offered_of)',
    ),
  ],
  'an offer holds until its time': [
    change(
      guards,
      "o.status = 'waiting' and o.held_until <= r.now",
      "o.status = 'waiting' and o.held_until > 0",
    ),
  ],
  'the end of an offer has its event': [
    change(guards, '[recordLapsedOffers(db, over), endUnansweredEntries', '[endUnansweredEntries'),
  ],
  'an offer that is over ends, with its event': [remove(guards, ', endLapsedOffers(db, over)')],
  'who never answers waits no more': [remove(guards, ' endUnansweredEntries(db, over),')],
  'who does not answer twice waits on': [change(guards, `\${unanswered} > 1)`, `\${unanswered} > 0)`)],
  'an answer counts anew': [
    change(guards, "a.cancel_reason_code = 'offer_declined'", "a.cancel_reason_code = ''"),
  ],
  'the job hands on what is over': [
    remove(
      'src/modules/booking/waitlist/job.ts',
      'if (lapsed.length > 0 && !signal?.aborted) await passOnLapsed(round, lapsed);\n    ',
    ),
  ],
  'the job offers what is free': [
    change(
      'src/modules/booking/waitlist/job.ts',
      'if (!signal?.aborted) await offerFree(round, taken, signal);',
      '',
    ),
  ],
  'an entry with an open offer is not over': [
    change(
      'src/modules/booking/waitlist/job-queries.ts',
      "o.status = 'waiting' and o.held_until is not null)`;",
      "o.status = 'none')`;",
    ),
  ],
};

export const ofAnswers: Record<string, readonly Edit[]> = {
  'what is accepted is still held': [versionOfAccept],
  'an offer is accepted in its time': [
    change(accepting, ` and \${bookings.heldUntil} > r.now`, ''),
    remove(answers, ' || (offer.heldUntil ?? 0) <= context.now'),
    change(
      'src/modules/booking/record/rules.ts',
      'heldUntil !== null && now < heldUntil',
      'heldUntil !== null',
    ),
  ],
  'another offer is not the one that was meant': [remove(answers, ' || offer.id !== meant')],
  'who accepts is still logged in': [
    change(accepting, '        actorHolds,\n        notReplayed,', '        notReplayed,'),
  ],
  'the session approves as it did': [change(accepting, '        approvalHolds,\n', '')],
  'who accepts has room': [
    change(accepting, '        roomForPatient,\n        proofOrFew,', '        proofOrFew,'),
  ],
  'who accepts has proved the e-mail, or has few': [
    change(accepting, '        roomForPatient,\n        proofOrFew,', '        roomForPatient,'),
  ],
  'what is accepted takes the next number': [
    change('src/modules/booking/changes/effects.ts', ", 'booking.accepted'])", '])'),
  ],
  'an entry ends when it is accepted': [
    remove(answers, '\n    endAccepted(db, { bookingId: next.id, writeId: next.writeId, now }),'),
  ],
  'what was accepted is not declined': [
    change(answers, "'cancel', { version: offer.version }, offer", "'cancel', {}, offer"),
  ],
  'who leaves with an offer waits no more': [
    change(
      answers,
      'leaves ? [endWithdrawn(deps.db, { bookingId: id, writeId, now })] : []',
      'leaves && id === writeId ? [endWithdrawn(deps.db, { bookingId: id, writeId, now })] : []',
    ),
  ],
};

/** Of a seat that is taken from whoever does not answer, and of a room. */
export const ofReleases: Record<string, readonly Edit[]> = {
  'a seat is taken back only while it would be offered': [
    change(
      'src/modules/booking/changes/queries.ts',
      `and(mayChange, sql\`exists (select 1 from \${isOffered})\`)`,
      'mayChange',
    ),
  ],
  'the seat of whoever does not answer is found': [
    change(confirming, `and (\${isUnanswered(sql\`r.now\`)})`, 'and false'),
  ],
  'a seat is taken back the day before, not earlier': [
    change(
      confirming,
      `sql\`b.schedule_date = \${named('date')}\``,
      `sql\`(b.schedule_date = \${named('date')} or true)\``,
    ),
  ],
  'who answered keeps the seat': [
    remove(confirming, ' and r.confirmed_at is null'),
    change(
      'src/modules/booking/record/rules.ts',
      "{ verb: 'cancel', by: 'system', from: live, when: mayConfirm }",
      "{ verb: 'cancel', by: 'system', from: live, when: () => true }",
    ),
  ],
  'a doctor who returns has the room alone': [
    change('src/modules/catalog/doctors/queries.ts', 'roomsFreeFor(id, fields.updatedAt)', 'sql`1`'),
  ],
};

export const ofEntries: Record<string, readonly Edit[]> = {
  'nobody waits twice for the same': [
    change(entries, `and \${isOffered} and \${isNew} and \${hasRoom}`, `and \${isOffered} and \${hasRoom}`),
  ],
  'an account waits for ten at most': [change(entries, ` and \${isNew} and \${hasRoom}`, ` and \${isNew}`)],
  'nobody waits for what is not offered': [
    change(entries, `and \${stands} and \${isOffered} and`, `and \${stands} and`),
  ],
  'nobody leaves whose offer is open, but by declining it': [
    change(entries, `sql\`\${waits} and \${nothingHeld}\``, 'waits'),
  ],
  'an entry is added behind all others': [
    change(entries, 'select 1 + coalesce(max(w.position), 0)', 'select 1'),
  ],
  'an order is carried out once': [
    change(ordering, `sql\`\${isFirstRequest} and \${sameSession}\``, 'sameSession'),
  ],
  'an order stays within its session': [
    change(ordering, `sql\`\${isFirstRequest} and \${sameSession}\``, 'isFirstRequest'),
  ],
  'an order moves nothing unless it is written down': [
    remove(ordering, ` and waitlist_entries.id <> r.entry_id and \${rowIsRecorded}`),
    remove(ordering, ` and waitlist_entries.id is not r.before_id and \${rowIsRecorded}`),
  ],
  'an order makes room': [
    change(ordering, 'steppedBack: stepBack(db, values)', 'steppedBack: takePlace(db, values)'),
  ],
  'the answer to an entry is kept with it': [
    change(
      actions,
      'stored: storeResponse(db, { writeId, actorId: actor.userId, now }, response),\n    done:',
      'done:',
    ),
  ],
};

export const ofTwins: Record<string, readonly Edit[]> = {
  'an entry holds one offer, with its index': [remove(offer, heldByPatient), admitTwins('bookings_offer')],
};

const seats = 'src/modules/booking/seats/queries.ts';
const effects = 'src/modules/booking/changes/effects.ts';

export const ofSeries: Record<string, readonly Edit[]> = {
  'a series is booked whole': [
    change(
      seats,
      `sql\`(select count(*) from r where \${mayTakeSeat}) = (select count(*) from r)\``,
      'mayTakeSeat',
    ),
  ],
  'each date of a series counts for the limits': [
    change('src/modules/booking/series/book.ts', '{ ...ids, ahead }', '{ ...ids, ahead: 0 }'),
  ],
  'each date of a series raises its queue': [
    change(
      effects,
      'raiseQueues(db, changes.map(writtenBy))',
      'raiseQueues(db, changes.slice(0, 1).map(writtenBy))',
    ),
  ],
  'each date of a series has its event': [
    change(
      effects,
      'recordEvents(db, changes.map(toEvent))',
      'recordEvents(db, changes.slice(0, 1).map(toEvent))',
    ),
  ],
  'the answer to a series is kept': [
    change(
      effects,
      'response: response === null ? [] :',
      'response: response === null || changes.length > 1 ? [] :',
    ),
  ],
  'a series is canceled whole': [
    change(
      'src/modules/booking/changes/queries.ts',
      `sql\`not exists (select 1 from \${fromRow(row)} left join bookings on \${mayChange} where bookings.id is null)\``,
      'sql`true`',
    ),
  ],
};

const sending = 'src/modules/notices/sending/queries.ts';
const reporting = 'src/modules/notices/queries.ts';
const planning = 'src/modules/notices/plan-queries.ts';

export const ofNotices: Record<string, readonly Edit[]> = {
  'a message under way is nobody else’s': [
    remove(sending, `\n          and (n.lease_until is null or n.lease_until <= \${now})`),
  ],
  'a lease of a message that ended can be taken over': [
    change(sending, `(n.lease_until is null or n.lease_until <= \${now})`, '(n.lease_until is null)'),
  ],
  'what was sent does not go again': [
    change(sending, "where n.state = 'pending' and n.due_at", 'where n.due_at'),
  ],
  'what was delivered stays so when it is settled': [change(sending, " and notices.state = 'pending'`", '`')],
  'what was delivered stays so when it is reported as sent': [
    change(reporting, "when 'sent' then notices.state = 'pending'", "when 'sent' then true"),
  ],
  'nobody is disturbed at night': [remove(sending, ` and (n.urgent > \${now} or \${named('quiet')} = 0)`)],
  'nothing goes for what was canceled': [
    remove('src/modules/notices/rules.ts', "\n  if (!isSo && status === 'canceled') return 'canceled';"),
    remove('src/modules/notices/rules.ts', "\n  if (!isSo) return 'passed';"),
  ],
  'a notice is planned once, with its index': [
    admitTwins('notices_once'),
    change(
      planning,
      `and not exists (select 1 from notices n where n.booking_id = x.id and n.kind = x.kind and n.channel = ch.value
          and n.starts_at = x.starts_at)`,
      'and true',
    ),
  ],
};
