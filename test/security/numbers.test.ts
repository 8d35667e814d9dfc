import { afterEach, expect, it, vi } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { exchanges } from '../../src/core/tables/exchanges.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { bookingEvents, webhookDeliveries } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { act } from '../support/clinic-people.ts';
import { createExchanging, type Exchanging } from '../support/exchanging.ts';
import { publicUrl } from '../support/fhir.ts';
import { addKey } from '../support/keys.ts';
import { createMobileJkn, newPatientAt, personAt, takeAt } from '../support/peers/mobile-jkn.ts';
import { createEndpoint } from '../support/receiver.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Everything that a clinic writes down or sends about a visit, but what a health system is to get. */
const watch = async ({ world, logged }: Exchanging) => {
  const lines: string[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...line) => void lines.push(JSON.stringify(line)));
  const sent: string[] = [];
  const measured: string[] = [];
  Object.assign(world.deps, {
    sendWebhook: async (message: object) => {
      sent.push(JSON.stringify(message));
      return { status: 200 };
    },
    metrics: new Proxy(world.deps.metrics, {
      get:
        () =>
        (...figures: unknown[]) =>
          void measured.push(JSON.stringify(figures)),
    }),
  });
  await createEndpoint(world);
  return {
    counts: () => ({ lines: lines.length, sent: sent.length, measured: measured.length }),
    all: async () => [
      ...lines,
      ...logged,
      ...sent,
      ...measured,
      ...(await Promise.all(
        [bookingEvents, securityEvents, exchanges, replays, webhookDeliveries].map(async (table) =>
          JSON.stringify(await world.db.select().from(table)),
        ),
      )),
    ],
  };
};

const numbers = [0, 1].flatMap((at) => Object.values(personAt(at)));
const holding = (texts: readonly string[]) =>
  texts.filter((text) => numbers.some((number) => text.includes(number)));

it.each(['rs', 'fktp'] as const)(
  'no NIK and no card is in a log line, an event, a webhook, a metric or a stored answer, by FHIR, %s and SATUSEHAT',
  async (family) => {
    const here = await createExchanging({
      BPJS: family,
      FHIR: 'on',
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'debug',
    });
    const { world, clinic, bpjs, satusehat, send } = here;
    const seen = await watch(here);
    const fhir = await addKey(world, ['fhir:read', 'fhir:write']);
    const mobile = createMobileJkn(world, family, await addKey(world, ['antrean:write']));
    await mobile.login();
    const { nik, nomorkartu } = personAt();
    satusehat.people.set(nik, 'P02478375538');
    const place = { nomorkartu, kodepoli: '001', tanggalperiksa: '2026-11-23' };
    if (family === 'rs') {
      const take = { jampraktek: '08:00-16:00' };
      await mobile.post('antrean/ambil', takeAt(0, take));
      await mobile.post('pasien/baru', newPatientAt());
      const { response } = await mobile.post('antrean/ambil', takeAt(0, take));
      await mobile.post('antrean/sisa', response);
      await mobile.post('antrean/ambil', takeAt(0, { ...take, nik: personAt(1).nik }));
      await mobile.post(`tidak/ada/${nik}`, takeAt());
      await mobile.ask('POST', 'antrean/ambil', `{"nik":"${nik}`);
    } else {
      const take = { ...place, nik, keluhan: 'Demam' };
      await mobile.post('antrean', take);
      await mobile.post('peserta', newPatientAt());
      expect((await mobile.post('antrean', take)).code).toBe(200);
      for (const card of [nomorkartu, personAt(1).nomorkartu])
        await mobile.ask('GET', `antrean/sisapeserta/${card}/001/2026-11-23`);
      await mobile.ask('GET', `antrean/sisapeserta/${nomorkartu}`);
    }
    const identifier = `https://fhir.kemkes.go.id/id/nik|${nik}`;
    const query = `identifier=${encodeURIComponent(identifier)}`;
    const found = await world.request(`/fhir/r4/Patient?${query}`, { token: fhir.token });
    expect(found.body.total).toBe(1);
    // The links of an answer are addresses of ours.
    expect(holding(found.body.link.map(({ url }: { url: string }) => url))).toEqual([]);
    await world.request(`/fhir/r4/Appointment?patient.${query}`, { token: fhir.token });
    await world.request('/fhir/r4/Patient/_search', {
      token: fhir.token,
      method: 'POST',
      raw: query,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const [row] = await world.db.select().from(bookings);
    await send();
    for (const verb of ['check-in', 'call', 'complete']) await act(world, clinic.staff, row?.id ?? '', verb);
    bpjs.fault = () => 'html';
    await send();
    bpjs.fault = () => 'referral';
    await send(600_000);
    await deliverWebhooks(world.deps);
    expect(holding(await seen.all())).toEqual([]);
    const { lines, sent, measured } = seen.counts();
    expect([lines > 0, sent > 0, measured > 0]).toEqual([true, true, true]);
    // The numbers were on their way all the same: where they belong.
    expect(holding(bpjs.calls.map((call) => JSON.stringify(call)))).not.toEqual([]);
    expect(holding(bpjs.calls.map(({ path }) => path))).toEqual([]);
    expect(holding(mobile.answers)).toEqual([]);
  },
);
