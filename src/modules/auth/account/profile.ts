import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { recordIfChanged } from '../audit/queries.ts';
import { fieldsIn } from '../audit/rules.ts';
import type { Actor } from '../context.ts';
import { profileFields } from '../fields.ts';
import { phoneIn } from '../phone.ts';
import type * as contract from './contract.ts';
import { copyProfileToRecord, findProfile, hasProfile, updateProfile } from './queries.ts';

type Input = BodyOf<typeof contract.ChangeProfile>;

/** Changes only the given fields, and updates the search words by which staff find the person. */
export const changeProfile = async ({ deps, requestId, now }: RequestContext, actor: Actor, input: Input) => {
  const { db } = deps;
  const { userId, deviceLoginId, role } = actor;
  const author = { userId, actorId: userId, deviceLoginId, requestId, now };
  const detail = { fields: fieldsIn(input) };
  return decideAgain(async () => {
    const [old] = await run(db, findProfile(db, { id: userId }));
    if (old === undefined) throw refusedToken();
    const profile = { ...profileFields.changed(old, input), ...phoneIn(input, old) };
    const writeId = deps.newId();
    const {
      after: [after],
    } = await runAll(db, {
      update: updateProfile(db, userId, old, profile, now),
      event: recordIfChanged(db, { writeId, type: 'profile_changed', ...author, detail }),
      after: findProfile(db, { id: userId }),
      record: copyProfileToRecord(db, { id: userId, now }),
      words: replaceWords(db, 'person', userId, personWords(profile), hasProfile(userId, profile)),
      webhookEvent: recordPatientEvent(
        db,
        { actorId: userId, role, requestId, now },
        'patient.updated',
        writeId,
        userId,
      ),
    });
    const isWritten = profileFields.names.every((name) => after?.[name] === profile[name]);
    if (!isWritten) return overtaken;
    deps.eventsWritten();
    return profile;
  });
};
