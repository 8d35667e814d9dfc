import { call } from './session.ts';
import type { Words } from './words/id.ts';

export type ClinicState = 'open' | 'closed' | 'broken';

export interface Clinic {
  id: string;
  name: string;
  hosts: string[];
  state: ClinicState;
  problem: string | null;
  /** The machine that has it, where several serve the clinics. */
  owner: string | null;
  bytes: number | null;
  bookings_today: number | null;
  failures: number | null;
  backup: { last_good_at: string | null; last_failed_at: string | null } | null;
}

export interface Asked {
  q: string;
  state: ClinicState | '';
  page: number;
}

interface ListMeta {
  page: number;
  pages: number;
  total: number;
  all: number;
  open: number;
  broken: number;
}

export const readClinics = ({ q, state, page }: Asked) => {
  const query = new URLSearchParams({ page: String(page) });
  if (q !== '') query.set('q', q);
  if (state !== '') query.set('state', state);
  return call<Clinic[], ListMeta>('GET', `/clinics?${query}`);
};

export const setClinic = (id: string, verb: 'open' | 'close') =>
  call<Clinic>('POST', `/clinics/${encodeURIComponent(id)}/${verb}`, {});

interface NewClinic {
  name: string;
  host: string;
  time_zone: string;
  admin: string;
}

export const addClinic = (json: NewClinic) => call<Clinic & { link: string }>('POST', '/clinics', json);

export interface Act {
  id: string;
  at: string;
  operator: string;
  act: keyof Words['act'];
  clinic_name: string | null;
}

export const readActs = () => call<Act[]>('GET', '/acts');

export interface Signup {
  id: string;
  name: string;
  host: string;
  email: string;
  asked_at: string;
}

export const readSignups = () => call<Signup[]>('GET', '/signups');

export interface Approved {
  name: string;
  email: string;
  link: string;
  mailed: boolean;
}

export const approveSignup = (id: string) => call<Approved>('POST', `/signups/${id}/approve`, {});
export const rejectSignup = (id: string) => call<object>('POST', `/signups/${id}/reject`, {});

export const askToSignUp = (json: { name: string; host: string; email: string; time_zone: string }) =>
  call<null>('POST', '/signups', json);
export const proveSignup = (token: string) => call<null>('POST', '/signups/prove', { token });
