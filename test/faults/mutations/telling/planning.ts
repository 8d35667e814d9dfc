// The guards of the planned notices, and of the opt-outs.

import { change, type Edit, remove } from '../edits.ts';

const planning = 'src/modules/notices/plan-queries.ts';
const choosing = 'src/modules/notices/queries.ts';
const telling = 'src/modules/notices/rules.ts';
const plan = 'src/modules/notices/plan.ts';

export const ofPlanning: Record<string, readonly Edit[]> = {
  'nothing is planned by a way that is not wanted': [remove(planning, ' and coalesce(h.message, 1)')],
  'nothing is planned of a kind that is not wanted': [
    remove(
      planning,
      "\n  and not exists (select 1 from json_each(coalesce(h.stopped_kinds, '[]')) k where k.value = x.kind)",
    ),
  ],
  'nothing goes a way that is not wanted any more': [remove(telling, 'choices[channel] === false || ')],
  'nothing goes of a kind that is not wanted any more': [
    remove(telling, ' || kindsIn(choices.stoppedKinds).includes(kind)'),
  ],
  'a choice of one way leaves the others': [
    change(choosing, "message: givenOrStored('message')", 'message: sql`excluded.message`'),
  ],
  'a choice of kinds stays beside the others': [
    change(
      choosing,
      "stoppedKinds: givenOrStored('stoppedKinds')",
      'stoppedKinds: sql`excluded.stopped_kinds`',
    ),
  ],
  'nothing goes that a later notice says': [
    remove(telling, "\n  if (subject.superseded) return 'superseded';"),
  ],
  'nothing goes for what was moved': [
    remove(telling, "\n  if (startsAt !== subject.plannedStart) return 'moved';"),
  ],
  'planning goes on from where it ended': [remove(plan, '\n      stepPlanning(db, {}),')],
  'planning steps over nothing': [
    change(
      planning,
      `noticedSequence: sql\`(select \${stretchEnd} from clinic c)\``,
      'noticedSequence: sql`(select max(v.sequence) from booking_events v)`',
    ),
  ],
  'planning stays where it is while nothing is new': [
    remove(planning, ' and noticed_sequence < (select coalesce(max(v.sequence), 0) from booking_events v)'),
  ],
  'what is planned and up to where is one step': [
    change(
      plan,
      'await runAll(db, [\n      planChanges(db, values),',
      'await run(db, planChanges(db, values));\n    await runAll(db, [',
    ),
  ],
  'reminders are planned before that is noted': [
    change(
      plan,
      '  for (const { kind, from, until } of',
      '  await run(db, stepReminders(db, { now, zone: clinicTime.zone }));\n  for (const { kind, from, until } of',
    ),
  ],
};
