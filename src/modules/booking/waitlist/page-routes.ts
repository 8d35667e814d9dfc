import type { Context } from 'hono';
import { whenInWords } from '../../../core/clinic/in-words.ts';
import { read, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { type AppEnv, depsOf } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { answerForm, type FormPage } from '../../../core/http/pages/form-page.ts';
import { withCancelLead } from '../changes/change.ts';
import { findBooking, type SeenBooking } from '../record/queries.ts';
import { acceptOffer, declineOffer, offerReads } from './accept.ts';
import { type OfferLink, offerPages, readOfferLink } from './link.ts';

type Answer = 'accept' | 'decline';
/** The texts of the pages: the question, the result of the offer, or why it could not be accepted. */
type Said = Answer | 'waiting' | 'approved' | 'declined' | 'over' | 'refused';

const says: Readonly<Record<Said, Readonly<Record<Language, (text: string) => FormPage>>>> = {
  accept: {
    id: (visit) => ({
      title: 'Terima tempat ini?',
      text: visit,
      button: 'Terima',
      other: { text: 'Tolak', href: 'decline' },
    }),
    en: (visit) => ({
      title: 'Accept this seat?',
      text: visit,
      button: 'Accept',
      other: { text: 'Decline', href: 'decline' },
    }),
  },
  decline: {
    id: (visit) => ({
      title: 'Tolak tempat ini?',
      text: `${visit} Tempat ini akan ditawarkan kepada yang menunggu berikutnya.`,
      button: 'Tolak',
      other: { text: 'Terima', href: 'accept' },
    }),
    en: (visit) => ({
      title: 'Decline this seat?',
      text: `${visit} The seat will be offered to whoever waits next.`,
      button: 'Decline',
      other: { text: 'Accept', href: 'accept' },
    }),
  },
  approved: {
    id: (visit) => ({ title: 'Janji temu Anda sudah tercatat', text: visit }),
    en: (visit) => ({ title: 'Your appointment is booked', text: visit }),
  },
  waiting: {
    id: (visit) => ({
      title: 'Tempat diterima',
      text: `${visit} Klinik masih akan menyetujuinya.`,
    }),
    en: (visit) => ({ title: 'Seat accepted', text: `${visit} The clinic has yet to confirm it.` }),
  },
  declined: {
    id: () => ({
      title: 'Tempat ditolak',
      text: 'Anda tetap dalam daftar tunggu untuk tempat berikutnya.',
    }),
    en: () => ({ title: 'Seat declined', text: 'You stay on the waitlist for the next one.' }),
  },
  over: {
    id: () => ({
      title: 'Tawaran ini sudah tidak berlaku',
      text: 'Waktunya sudah lewat, atau tempatnya sudah dibatalkan. Anda dapat memesan waktu lain di aplikasi.',
    }),
    en: () => ({
      title: 'This offer is over',
      text: 'Its time has passed, or the seat was canceled. You can book another time in the application.',
    }),
  },
  refused: {
    id: (why) => ({ title: 'Tempat belum dapat diterima', text: why }),
    en: (why) => ({ title: 'The seat could not be accepted', text: why }),
  },
};

/** The state of the offer, or that it can still be answered. */
const toOfferState = (offer: SeenBooking | undefined, now: number) => {
  if (offer === undefined) return 'over';
  if (offer.status === 'canceled')
    return offer.canceledBy === 'patient' && offer.heldUntil !== null ? 'declined' : 'over';
  if (offer.heldUntil === null) return offer.status;
  return offer.heldUntil > now ? 'open' : 'over';
};

/** The booking of the link, if it came by an offer and its person still acts for the patient. */
const findLinked = async ({ db }: Deps, { bookingId, personId }: OfferLink) => {
  const [booking] = await run(db, findBooking(db, { id: bookingId, accountId: personId }));
  const isTheirs = booking !== undefined && (booking.patientId === personId || booking.isFamily === 1);
  return isTheirs && booking.waitlistId !== null ? { ...booking, waitlistId: booking.waitlistId } : undefined;
};

type Linked = NonNullable<Awaited<ReturnType<typeof findLinked>>>;

/** Answers the offer as its patient, without a login; null, or the failure that leaves it open. */
const answerOffer = async (
  { deps, requestId }: { deps: Deps; requestId: string },
  { personId }: OfferLink,
  offer: Linked,
  how: Answer,
): Promise<Failure | null> => {
  const context = {
    deps,
    now: deps.clock(),
    requestId,
    actor: { userId: personId, deviceLoginId: null, role: 'patient' as const, doctorId: null },
    cancelLeadMinutes: 0,
    toStoredResponse: () => null,
  };
  const rows = await read(deps.db, offerReads(context, offer.waitlistId, personId));
  try {
    if (how === 'accept') await acceptOffer(context, offer.waitlistId, offer.id, rows);
    else await declineOffer(withCancelLead(context, rows.clinics[0]), offer, false);
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || catalogue[error.code].status >= 500) throw error;
    return error;
  }
};

/**
 * The pages by which the links of a notice answer an offer, once: afterwards they say what became of it. Opening one
 * changes nothing, since programs that look for malware open all links.
 */
export const mountOfferPages = (serve: Serve): void => {
  const open = async (c: Context<AppEnv>, how: Answer, isSent: boolean) => {
    const deps = depsOf(c);
    const { requestId, language: asked } = c.get('arrival');
    const link = await readOfferLink(deps.tokenKeys, c.req.param('token') ?? '');
    const language = link?.language ?? asked;
    const show = (said: Said, text = '', status = 200) =>
      answerForm(c, language, says[said][language](text), status);
    const showState = (offer: Linked | undefined, failure: Failure | null = null) => {
      const state = toOfferState(offer, deps.clock());
      if (offer === undefined || state === 'over') return show('over', '', 404);
      const { date, time } = whenInWords(
        offer.scheduleDate,
        offer.scheduleTime,
        deps.clinicTime.zone,
        language,
      );
      if (state === 'open' && failure !== null) {
        const sentence = failure.details.sentence ?? catalogue[failure.code];
        return show('refused', sentence[language], catalogue[failure.code].status);
      }
      return show(state === 'open' ? how : state, `${offer.doctorName}, ${date}, ${time}.`);
    };
    if (link === null) return showState(undefined);
    const offer = await findLinked(deps, link);
    if (!isSent || offer === undefined || toOfferState(offer, deps.clock()) !== 'open')
      return showState(offer);
    const failure = await answerOffer({ deps, requestId }, link, offer, how);
    return showState(await findLinked(deps, link), failure);
  };
  for (const how of ['accept', 'decline'] as const) {
    serve('GET', `${offerPages}/:token/${how}`, (c) => open(c, how, false));
    serve('POST', `${offerPages}/:token/${how}`, (c) => open(c, how, true));
  }
};
