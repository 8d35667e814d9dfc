import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyContext } from '../../auth/context.ts';
import { keyClaims } from '../../auth/keys/key.ts';
import type { Mount, Spoken } from '../../handler.ts';
import { firstLevel, hospital } from './contract.ts';
import { bpjsDialect, refusal, type Said } from './dialect.ts';
import * as follow from './follow.ts';
import { cardIn, dateIn, type Given, needed } from './input.ts';
import { registerPatient } from './people.ts';
import { antreanSentences as sentences } from './sentences.ts';
import { doctorIn, readTaken, shiftsFor, take, takenAtFirstLevel, takenAtHospital } from './take.ts';
import { sealToken } from './token.ts';

type Asking = AnyContext & { body: Given };

const ok = (data: Said) => ({ status: 200 as const, data });

/** The token of the key that asks. */
const token = {
  answer: async ({ deps, now, header }: AnyContext) => {
    const claims = await keyClaims(deps.tokenKeys, header('x-password') ?? '');
    if (claims === null) throw new Failure('unauthenticated');
    return ok({ response: { token: await sealToken(deps, claims, now) } });
  },
};

const poliIn = (given: Given) => needed(given, 'kodepoli', 'Kode Poli');

const mountHospital = (mount: Mount): void => {
  const { Token, Status, Take, Left, Cancel, CheckIn, NewPatient, ...none } = hospital;
  mount(Token, token);
  mount(Status, {
    answer: async (context: Asking) => {
      const { body } = context;
      const asked = {
        poli: poliIn(body),
        doctor: doctorIn(body, true),
        date: dateIn(body, 'tanggalperiksa'),
      };
      const [shift] = await shiftsFor(context, 'rs', asked);
      return ok(await follow.hospitalStatus(context, shift, asked.date));
    },
  });
  mount(Take, {
    answer: async (context: Asking) =>
      ok(await takenAtHospital(context, await take(context, 'rs', context.body, true))),
  });
  mount(Left, {
    answer: async (context: Asking) => {
      const { id } = await follow.byCode(context, context.body);
      return ok(await follow.hospitalLeft(context, await readTaken(context, 'rs', id)));
    },
  });
  mount(Cancel, {
    answer: async (context: Asking) =>
      ok(await follow.cancel(context, 'rs', await follow.byCode(context, context.body), context.body)),
  });
  mount(CheckIn, {
    answer: async (context: Asking) =>
      ok(await follow.checkIn(context, await follow.byCode(context, context.body))),
  });
  mount(NewPatient, {
    answer: async (context: Asking) => ok(await registerPatient(context, context.body, true)),
  });
  // Janji has neither an operating theatre nor a pharmacy: the lists are empty, and no such number is there.
  for (const endpoint of [none.Operations, none.OwnOperations])
    mount(endpoint, { answer: () => ok({ response: { list: [] } }) });
  for (const endpoint of [none.TakePharmacy, none.PharmacyStatus])
    mount(endpoint, {
      answer: () => {
        throw refusal(sentences.not_found);
      },
    });
};

const mountFirstLevel = (mount: Mount): void => {
  const { Token, Status, StatusV2, Take, TakeV2, Left, Cancel, CancelV2, NewPatient } = firstLevel;
  const shifts = (context: AnyContext & { params: { poli: string; date: string } }) => {
    const { poli } = context.params;
    return shiftsFor(context, 'fktp', { poli, date: dateIn(context.params, 'date') });
  };
  mount(Token, token);
  mount(Status, { answer: async (context) => ok(follow.firstLevelStatus(await shifts(context))) });
  mount(StatusV2, { answer: async (context) => ok(follow.firstLevelStatusV2(await shifts(context))) });
  const taking = (isV2: boolean) => ({
    answer: async (context: Asking) => {
      // Bodies of the newer version come to the older path, too.
      const isNew = isV2 || doctorIn(context.body, false) !== undefined;
      return ok(takenAtFirstLevel(await take(context, 'fktp', context.body, isNew), isNew));
    },
  });
  mount(Take, taking(false));
  mount(TakeV2, taking(true));
  mount(Left, {
    answer: async (context) => {
      const { params } = context;
      const card = cardIn({ nomorkartu: params.card });
      const place = { poli: params.poli, date: dateIn(params, 'date') };
      return ok(await follow.firstLevelLeft(context, await follow.byCard(context, { card, nik: '' }, place)));
    },
  });
  const canceling = {
    answer: async (context: Asking) => {
      const { body } = context;
      const card = cardIn(body);
      const place = { poli: poliIn(body), date: dateIn(body, 'tanggalperiksa') };
      const antrean = await follow.byCard(context, { card, nik: '' }, place);
      return ok(await follow.cancel(context, 'fktp', antrean, body));
    },
  };
  mount(Cancel, canceling);
  mount(CancelV2, canceling);
  mount(NewPatient, {
    answer: async (context: Asking) => ok(await registerPatient(context, context.body, false)),
  });
};

/** What the clinic offers to BPJS, by its family. */
export const spokenBpjs = (family: 'rs' | 'fktp'): Spoken => ({
  dialect: bpjsDialect,
  mountRoutes: family === 'rs' ? mountHospital : mountFirstLevel,
});
