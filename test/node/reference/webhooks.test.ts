import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { WebhookMessage } from '../../../src/core/deps.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { eventTypes } from '../../../src/core/tables/words.ts';
import { openApiDocument } from '../../../src/interface/reference/document.ts';
import { expireBookings } from '../../../src/modules/booking/changes/expire.ts';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { closed } from '../../support/closed-document.ts';
import { ask } from '../../support/questions.ts';
import { createEndpoint } from '../../support/receiver.ts';
import { createWorld } from '../../support/world.ts';

interface Parameter {
  name: string;
  schema: object;
}

const id = 'https://janji.example/openapi.json';
const document = closed(openApiDocument()) as {
  webhooks: Record<string, { post: { parameters: { $ref: string }[]; requestBody: { content: object } } }>;
  components: { parameters: Record<string, Parameter> };
};
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: id, ...document });

const bodyProblems = (type: string, body: unknown): string => {
  const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.compile({ $ref: `${id}#${pointer}` });
  return validate(body) ? '' : ajv.errorsText(validate.errors);
};

const documentedHeaders = (type: string): Parameter[] =>
  (document.webhooks[type]?.post.parameters ?? []).map(
    ({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? ''] as Parameter,
  );

/** Every type of event, each as it was really sent. */
const everythingSent = async () => {
  const world = await createWorld({ MIN_NOTICE_MINUTES: '0' });
  const clinic = await createClinic(world);
  await createEndpoint(world);
  const sent: WebhookMessage[] = [];
  world.deps.sendWebhook = async (message) => {
    sent.push(message);
    return { status: 204 };
  };
  const { staff, patient } = clinic;
  const seen = await book(world, clinic);
  await act(world, staff, seen, 'reschedule', { schedule_date: '2026-11-23', schedule_time: '08:00:00' });
  await ask(world, clinic);
  const answers = [{ id: 'alergi', value: 'Penisilin' }];
  const put = { method: 'PUT', token: patient.token, body: { answers } };
  expect((await world.request(`/v1/bookings/${seen}/answers`, put)).status).toBe(200);
  await world.db.update(bookings).set({ askedAt: world.clock.now });
  expect((await act(world, patient, seen, 'confirm')).status).toBe(200);
  await act(world, staff, seen, 'check-in');
  await act(world, staff, seen, 'undo', { version: 5 });
  for (const verb of ['check-in', 'call', 'skip', 'complete'])
    expect((await act(world, staff, seen, verb)).status).toBe(200);
  const missed = await book(world, clinic);
  await act(world, staff, missed, 'approve');
  const dropped = await book(world, clinic, { schedule_time: '10:00:00' });
  await act(world, patient, dropped, 'cancel', { reason: 'Sudah sembuh' });
  await book(world, clinic, { schedule_time: '11:00:00' });
  const token = staff.token;
  const walkIn = await world.request('/v1/patients', {
    token,
    body: { name: 'Pak Darmo', phone_number: '81355500001' },
  });
  const merged = walkIn.body.data.id;
  await book(world, clinic, { patient_id: merged, schedule_time: '13:00:00' }, token);
  const merge = { token, body: { into: patient.id } };
  const renamed = { method: 'PATCH', token, body: { name: 'Pak Darma' } };
  expect((await world.request(`/v1/patients/${merged}`, renamed)).status).toBe(200);
  expect((await world.request(`/v1/patients/${merged}/merge`, merge)).status).toBe(200);
  const leave = { name: 'Cuti', start_date: '2026-12-01', doctor_id: clinic.practice.doctorId };
  const closure = await world.request('/v1/admin/closures', { token, body: leave });
  const closurePath = `/v1/admin/closures/${closure.body.data.id}`;
  expect((await world.request(closurePath, { method: 'DELETE', token })).status).toBe(200);
  const notice = { method: 'PUT', token, body: { date: '2026-11-23', delay_minutes: 30 } };
  const noticePath = `/v1/doctors/${clinic.practice.doctorId}/notice`;
  expect((await world.request(noticePath, notice)).status).toBe(200);
  const date = '2026-11-30';
  const taken = await book(world, clinic, { schedule_date: date });
  const times = { earliest_time: '09:00:00', latest_time: '09:00:00' };
  const wish = { session_id: clinic.practice.sessionId, from: date, to: date, ...times };
  const waiting = { token: clinic.stranger.token };
  const entry = await world.request('/v1/waitlist', { ...waiting, body: wish });
  expect((await act(world, patient, taken, 'cancel')).status).toBe(200);
  const acceptance = `/v1/waitlist/${entry.body.data.id}/accept`;
  expect((await world.request(acceptance, { ...waiting, method: 'POST' })).status).toBe(200);
  const gone = { method: 'DELETE', token: clinic.stranger.token };
  expect((await world.request('/v1/auth/account', gone)).status).toBe(200);
  world.clock.now += 12 * 3_600_000;
  expect((await act(world, staff, missed, 'no-show')).status).toBe(200);
  await expireBookings(world.deps, world.clock.now);
  await deliverWebhooks(world.deps);
  return sent;
};

describe('the webhooks of the document', () => {
  it('are those that are sent: each type, each field, each header', async () => {
    const sent = await everythingSent();
    const types = sent.map(({ body }) => JSON.parse(body).type as string);
    expect([...new Set(types)].sort()).toEqual([...eventTypes].sort());
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort());
    const usual = ['Content-Type', 'User-Agent'];
    for (const { headers, body } of sent) {
      const message = JSON.parse(body);
      expect(`${message.type} ${bodyProblems(message.type, message)}`).toBe(`${message.type} `);
      const documented = documentedHeaders(message.type);
      expect(Object.keys(headers).sort()).toEqual([...usual, ...documented.map(({ name }) => name)].sort());
      for (const { name, schema } of documented)
        expect(`${name} ${ajv.validate(schema, headers[name])}`).toBe(`${name} true`);
    }
  });

  it('have examples that fit, and notice a field that is not documented', async () => {
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { example } = (post.requestBody.content as Record<string, { example: { data: object } }>)[
        'application/json'
      ] as { example: { data: object } };
      expect(`${type} ${bodyProblems(type, example)}`).toBe(`${type} `);
      expect(bodyProblems(type, { ...example, data: { ...example.data, notes: 'Batuk' } })).not.toBe('');
    }
  });
});
