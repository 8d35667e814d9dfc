import { describe, expect, it } from 'vitest';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

describe('the interface, as the spec shows it', () => {
  it('registers with exactly the fields shown, and a token that opens the profile', async () => {
    const world = await createWorld();
    const body = {
      name: 'Putri',
      phone_number: '081234567890',
      phone_country_code: '62',
      email: 'Putri@Klinik.example',
      password,
      password_confirmation: password,
      device_id: '',
    };
    const { status, body: answer } = await world.request('/v1/auth/register', { body });
    expect(status).toBe(201);
    expect(Object.keys(answer)).toEqual(['status', 'message', 'data']);
    const { id, ...user } = answer.data.user;
    expect(user).toEqual({
      name: 'Putri',
      phone_number: '081234567890',
      phone_country_code: '62',
      email: 'putri@klinik.example',
      device_id: '',
    });
    expect(answer.data).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    const profile = await world.request('/v1/auth/profile', { token: answer.data.access_token });
    const facts = {
      ...{ role: 'patient', email_proved: false, login_phone: null },
      ...{ has_password: true, confirms_by_sso: false },
    };
    const data = { user: { id, ...user }, ...facts };
    expect(profile.body).toEqual({ status: 'success', data });
  });

  it('logs in with the e-mail in any case, without a message', async () => {
    const world = await createWorld();
    const patient = await registerPatient(world);
    const body = { email: ` ${patient.email.toUpperCase()} `, password };
    const { status, body: answer } = await world.request('/v1/auth/login', { body });
    expect(status).toBe(200);
    expect(Object.keys(answer)).toEqual(['status', 'data']);
    expect(Object.keys(answer.data.user)).toEqual([
      'id',
      'name',
      'phone_number',
      'phone_country_code',
      'email',
      'device_id',
    ]);
  });

  it('walks the whole path: register, slots, book, history, cancel, history, logout, 401', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await registerPatient(world);
    const slots = await world.request(`/v1/doctors/${practice.doctorId}/slots?from=2026-11-23&to=2026-11-23`);
    expect(slots.body.data).toHaveLength(16);
    const { schedule_date, schedule_time } = slots.body.data[0];
    const booked = await world.request('/v1/bookings', {
      token,
      body: bookingInput(practice, { schedule_date, schedule_time, notes: 'Batuk' }),
    });
    expect(booked.status).toBe(201);
    expect(booked.body.message).toBe('Janji temu berhasil dibuat dan sedang menunggu persetujuan klinik.');
    const { id, ...booking } = booked.body.data;
    expect(booking).toEqual({
      doctor_id: practice.doctorId,
      doctor_name: 'dr. Sari Wulandari',
      session_id: practice.sessionId,
      session_name: 'Konsultasi',
      schedule_date,
      schedule_time,
      notes: 'Batuk',
      status: 'waiting',
    });
    const history = await world.request('/v1/bookings/history', { token });
    expect(history.body).toEqual({
      status: 'success',
      data: [{ id, ...booking }],
      meta: { next_cursor: null },
    });
    const canceled = await world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token });
    expect(canceled.status).toBe(200);
    expect(canceled.body).toEqual({
      status: 'success',
      message: 'Janji temu berhasil dibatalkan.',
      data: { id, status: 'canceled' },
    });
    const after = await world.request('/v1/bookings/history', { token });
    expect(after.body.data[0].status).toBe('canceled');
    const out = await world.request('/v1/auth/logout', { method: 'POST', token });
    expect(out.body).toEqual({ status: 'success', message: 'Anda telah keluar.' });
    expect((await world.request('/v1/bookings/history', { token })).status).toBe(401);
  });
});
