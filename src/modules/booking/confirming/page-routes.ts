import type { Context } from 'hono';
import { whenInWords } from '../../../core/clinic/in-words.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { type AppEnv, depsOf } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { answerForm, type FormPage } from '../../../core/http/pages/form-page.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { changeBooking, withCancelLead } from '../changes/change.ts';
import { findBooking, type SeenBooking } from '../record/queries.ts';
import { confirmBooking } from './actions.ts';
import { readVisitLink, type VisitLink, visitPages } from './link.ts';
import { mayConfirm } from './rules.ts';

type Answer = 'confirm' | 'cancel';
type Said = Answer | 'confirmed' | 'canceled' | 'over' | 'refused';

const says: Readonly<Record<Said, Readonly<Record<Language, (text: string) => FormPage>>>> = {
  confirm: {
    id: (visit) => ({
      title: 'Anda akan datang?',
      text: visit,
      button: 'Saya datang',
      other: { text: 'Batalkan janji temu', href: 'cancel' },
    }),
    en: (visit) => ({
      title: 'Will you come?',
      text: visit,
      button: 'I will come',
      other: { text: 'Cancel the appointment', href: 'cancel' },
    }),
  },
  cancel: {
    id: (visit) => ({
      title: 'Batalkan janji temu ini?',
      text: `${visit} Tempatnya akan diberikan kepada pasien lain.`,
      button: 'Batalkan',
      other: { text: 'Saya datang', href: 'confirm' },
    }),
    en: (visit) => ({
      title: 'Cancel this appointment?',
      text: `${visit} The seat will go to another patient.`,
      button: 'Cancel it',
      other: { text: 'I will come', href: 'confirm' },
    }),
  },
  confirmed: {
    id: (visit) => ({
      title: 'Terima kasih, Anda akan datang',
      text: `${visit} Jika Anda kemudian berhalangan, batalkan di aplikasi atau telepon klinik.`,
    }),
    en: (visit) => ({
      title: 'Thank you, you will come',
      text: `${visit} If something comes up, cancel it in the application or call the clinic.`,
    }),
  },
  canceled: {
    id: (visit) => ({ title: 'Janji temu sudah dibatalkan', text: visit }),
    en: (visit) => ({ title: 'The appointment is canceled', text: visit }),
  },
  over: {
    id: () => ({
      title: 'Tautan ini sudah tidak berlaku',
      text: 'Waktunya sudah lewat, atau janji temu ini sudah dipindahkan. Jadwal yang berlaku ada di aplikasi.',
    }),
    en: () => ({
      title: 'This link is no longer valid',
      text: 'Its time has passed, or the appointment was moved. You find the present time in the application.',
    }),
  },
  refused: {
    id: (why) => ({ title: 'Belum dapat dilakukan', text: why }),
    en: (why) => ({ title: 'This could not be done', text: why }),
  },
};

/** What became of the visit that a link is about, or that it can still be answered. */
const toState = (booking: SeenBooking | undefined, link: VisitLink, now: number) => {
  if (booking === undefined) return 'over';
  const isMoved = booking.scheduleDate !== link.scheduleDate || booking.scheduleTime !== link.scheduleTime;
  if (isMoved) return 'over';
  if (booking.status === 'canceled') return 'canceled';
  if (now >= booking.startsAt) return 'over';
  if (booking.confirmedAt !== null) return 'confirmed';
  return mayConfirm(booking, now) ? 'open' : 'over';
};

/** The booking of the link, if its person still acts for the patient. */
const findLinked = async ({ db }: Deps, { bookingId, personId }: VisitLink) => {
  const [booking] = await run(db, findBooking(db, { id: bookingId, accountId: personId }));
  const isTheirs = booking !== undefined && (booking.patientId === personId || booking.isFamily === 1);
  return isTheirs ? booking : undefined;
};

/** Answers as the patient, without a login; null, or the failure that leaves it open. */
const answerVisit = async (
  { deps, requestId }: { deps: Deps; requestId: string },
  { personId }: VisitLink,
  booking: SeenBooking,
  how: Answer,
): Promise<Failure | null> => {
  const {
    clinic: [clinic],
  } = await runAll(deps.db, { clinic: findClinic(deps.db, {}) });
  const context = withCancelLead(
    {
      deps,
      now: deps.clock(),
      requestId,
      actor: { userId: personId, deviceLoginId: null, role: 'patient' as const, doctorId: null },
      cancelLeadMinutes: 0,
      toStoredResponse: () => null,
    },
    clinic,
  );
  // In the version that was read: one that was moved or answered meanwhile is another question.
  const { version } = booking;
  try {
    if (how === 'confirm') await confirmBooking(context, { version }, booking);
    else
      await changeBooking(context, 'cancel', { version }, booking, {
        message: 'booking_canceled',
        view: () => undefined,
      });
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || catalogue[error.code].status >= 500) throw error;
    return error;
  }
};

/**
 * The pages by which the links of a reminder answer it, once: afterwards they say what became of it. Opening one
 * changes nothing, since programs that look for malware open all links.
 */
export const mountVisitPages = (serve: Serve): void => {
  const open = async (c: Context<AppEnv>, how: Answer, isSent: boolean) => {
    const deps = depsOf(c);
    const { requestId, language: asked } = c.get('arrival');
    const link = await readVisitLink(deps.tokenKeys, c.req.param('token') ?? '');
    const language = link?.language ?? asked;
    const show = (said: Said, text = '', status = 200) =>
      answerForm(c, language, says[said][language](text), status);
    if (link === null) return show('over', '', 404);
    const showState = (booking: SeenBooking | undefined, failure: Failure | null = null) => {
      const state = toState(booking, link, deps.clock());
      if (booking === undefined || state === 'over') return show('over', '', 404);
      if (state === 'open' && failure !== null && failure.code !== 'version_mismatch') {
        const sentence = failure.details.sentence ?? catalogue[failure.code];
        return show('refused', sentence[language], catalogue[failure.code].status);
      }
      const { zone } = deps.clinicTime;
      const { date, time } = whenInWords(booking.scheduleDate, booking.scheduleTime, zone, language);
      return show(state === 'open' ? how : state, `${booking.doctorName}, ${date}, ${time}.`);
    };
    const booking = await findLinked(deps, link);
    if (!isSent || booking === undefined || toState(booking, link, deps.clock()) !== 'open')
      return showState(booking);
    const failure = await answerVisit({ deps, requestId }, link, booking, how);
    return showState(await findLinked(deps, link), failure);
  };
  for (const how of ['confirm', 'cancel'] as const) {
    serve('GET', `${visitPages}/:token/${how}`, (c) => open(c, how, false));
    serve('POST', `${visitPages}/:token/${how}`, (c) => open(c, how, true));
  }
};
