import type { Context } from 'hono';
import { whenInWords } from '../../../core/clinic/in-words.ts';
import { read, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { type AppEnv, depsOf } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { answerForm } from '../../../core/http/pages/form-page.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { changeBooking, withCancelLead } from '../changes/change.ts';
import { confirmBooking } from '../confirming/actions.ts';
import { readVisitLink, type VisitLink, visitPages } from '../confirming/link.ts';
import type { ActingContext } from '../record/context.ts';
import { findBooking, findBookingPatient, type SeenBooking } from '../record/queries.ts';
import { acceptOffer, declineOffer, offerReads } from '../waitlist/accept.ts';
import { type OfferLink, offerPages, readOfferLink } from '../waitlist/link.ts';
import { toOfferState, toVisitState } from './state-rules.ts';
import { type Texts, texts } from './texts.ts';

interface Link {
  bookingId: string;
  /** An account, or the record of a patient without one. */
  personId: string;
  language: Language;
}

type LinkContext = ActingContext<{
  userId: string;
  deviceLoginId: null;
  role: 'patient';
  doctorId: null;
}>;

/** A question that a notice asks, and that its links answer. */
interface Question<L extends Link, T extends Texts, Answer extends string> {
  path: string;
  readLink: (keys: Deps['tokenKeys'], token: string) => Promise<L | null>;
  texts: T & Record<Answer | 'over' | 'refused', Texts[string]>;
  answers: readonly Answer[];
  /** What has become of it; open while it can be answered. */
  toState: (booking: SeenBooking, link: L, now: number) => (keyof T & string) | 'open';
  answer: (context: LinkContext, booking: SeenBooking, how: Answer) => Promise<unknown>;
}

const visit: Question<VisitLink, typeof texts.visit, 'confirm' | 'cancel'> = {
  path: visitPages,
  readLink: readVisitLink,
  texts: texts.visit,
  answers: ['confirm', 'cancel'],
  toState: toVisitState,
  // In the version that was read: one that was moved or answered meanwhile is another question.
  answer: (context, booking, how) =>
    how === 'confirm'
      ? confirmBooking(context, { version: booking.version }, booking)
      : changeBooking(context, 'cancel', { version: booking.version }, booking, {
          view: () => undefined,
        }),
};

const offer: Question<OfferLink, typeof texts.offer, 'accept' | 'decline'> = {
  path: offerPages,
  readLink: readOfferLink,
  texts: texts.offer,
  answers: ['accept', 'decline'],
  toState: toOfferState,
  answer: async (context, booking, how) => {
    if (how === 'decline') return declineOffer(context, booking, false);
    const id = booking.waitlistId ?? '';
    const rows = await read(context.deps.db, offerReads(context, id, context.actor.userId));
    return acceptOffer(context, id, booking.id, rows);
  },
};

/** The booking of a link, if its person still acts for the patient, and the clinic with its rules. */
const findLinked = async ({ db }: Deps, { bookingId, personId }: Link) => {
  const {
    found: [booking],
    patient: [patient],
    clinic: [clinic],
  } = await runAll(db, {
    found: findBooking(db, { id: bookingId, accountId: personId }),
    patient: findBookingPatient(db, { id: bookingId }),
    clinic: findClinic(db, {}),
  });
  const isTheirs = booking !== undefined && (booking.patientId === personId || booking.isFamily === 1);
  // A record without an account is asked for itself.
  const name = patient === undefined || booking?.patientId === personId ? null : patient.name;
  return { booking: isTheirs ? booking : undefined, clinic, name };
};

type Clinic = Awaited<ReturnType<typeof findLinked>>['clinic'];

/** The failure that leaves a question open, or null. */
const catchFailure = async (answering: Promise<unknown>): Promise<Failure | null> => {
  try {
    await answering;
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || catalogue[error.code].status >= 500) throw error;
    return error;
  }
};

const mountQuestion = <L extends Link, T extends Texts, Answer extends string>(
  serve: Serve,
  question: Question<L, T, Answer>,
): void => {
  const { path, readLink, answers, toState } = question;
  const open = async (c: Context<AppEnv>, how: Answer, isSent: boolean) => {
    const deps = depsOf(c);
    const { requestId, language: asked } = c.get('arrival');
    const link = await readLink(deps.tokenKeys, c.req.param('token') ?? '');
    const language = link?.language ?? asked;
    let from: Clinic | undefined;
    let name: string | null = null;
    const show = (said: keyof T | Answer | 'over' | 'refused', text = '', status = 200) =>
      answerForm(c, language, { ...question.texts[said][language](text, name), from }, status);
    if (link === null) return show('over', '', 404);
    const stateOf = (booking: SeenBooking | undefined) =>
      booking === undefined ? 'over' : toState(booking, link, deps.clock());
    const showState = (booking: SeenBooking | undefined, failure: Failure | null = null) => {
      const state = stateOf(booking);
      if (booking === undefined || state === 'over') return show('over', '', 404);
      if (state === 'open' && failure !== null && failure.code !== 'version_mismatch') {
        const sentence = failure.details.sentence ?? catalogue[failure.code];
        return show('refused', sentence[language], catalogue[failure.code].status);
      }
      const { zone } = deps.clinicTime;
      const { date, time } = whenInWords(booking.scheduleDate, booking.scheduleTime, zone, language);
      const visit = `${booking.doctorName}, ${date}, ${time}.`;
      return show(state === 'open' ? how : state, name === null ? visit : `${name}, ${visit}`);
    };
    const { booking, ...found } = await findLinked(deps, link);
    from = found.clinic;
    name = found.name;
    if (!isSent || booking === undefined || stateOf(booking) !== 'open') return showState(booking);
    // As the patient, without a login.
    const actor = { userId: link.personId, deviceLoginId: null, role: 'patient', doctorId: null } as const;
    const context = { deps, now: deps.clock(), requestId, actor, toStoredResponse: () => null };
    const acting = withCancelLead({ ...context, cancelLeadMinutes: 0 }, found.clinic);
    const failure = await catchFailure(question.answer(acting, booking, how));
    return showState((await findLinked(deps, link)).booking, failure);
  };
  for (const how of answers) {
    serve('GET', `${path}/:token/${how}`, (c) => open(c, how, false));
    serve('POST', `${path}/:token/${how}`, (c) => open(c, how, true));
  }
};

/**
 * The pages by which the links of a notice answer what it asks, once: afterwards they say what became of it. Opening one
 * changes nothing, since programs that look for malware open all links.
 */
export const mountLinkPages = (serve: Serve): void => {
  mountQuestion(serve, visit);
  mountQuestion(serve, offer);
};
