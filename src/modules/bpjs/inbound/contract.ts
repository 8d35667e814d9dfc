import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '../../../core/endpoint/endpoint.ts';
import { bpjsPath, tokenPaths } from './dialect.ts';

const common = {
  tag: 'bpjs',
  access: 'bearer',
  scope: 'antrean:write',
  discloses: 'nothing',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'The envelope of BPJS with code 200.' } },
  fails: ['not_found', 'slot_full', 'invalid_transition', 'patient_exists'],
} as const;

/** Fields are judged by our own rules, one after the other: BPJS shows the patient a sentence for each. */
const body = () => z.looseObject({});
const text = () => z.string();

const get = (path: string, summary: string) => endpoint({ ...common, method: 'get', path, summary });
const post = (path: string, summary: string) => endpoint({ ...common, method: 'post', path, summary, body });
const put = (path: string, summary: string) => endpoint({ ...common, method: 'put', path, summary, body });

const rs = `${bpjsPath}/rs`;
const fktp = `${bpjsPath}/fktp`;

/** What a hospital offers: the paths are the clinic's own choice. */
export const hospital = {
  Token: get(tokenPaths[0], 'Token'),
  Status: post(`${rs}/antrean/status`, 'Status Antrean'),
  Take: post(`${rs}/antrean/ambil`, 'Ambil Antrean'),
  Left: post(`${rs}/antrean/sisa`, 'Sisa Antrean'),
  Cancel: post(`${rs}/antrean/batal`, 'Batal Antrean'),
  CheckIn: post(`${rs}/antrean/checkin`, 'Check In'),
  NewPatient: post(`${rs}/pasien/baru`, 'Info Pasien Baru'),
  Operations: post(`${rs}/operasi/rs`, 'Jadwal Operasi RS'),
  OwnOperations: post(`${rs}/operasi/pasien`, 'Jadwal Operasi Pasien'),
  TakePharmacy: post(`${rs}/farmasi/ambil`, 'Ambil Antrean Farmasi'),
  PharmacyStatus: post(`${rs}/farmasi/status`, 'Status Antrean Farmasi'),
} as const;

const statusParams = () => z.object({ poli: text(), date: text() });
const leftParams = () => z.object({ card: text(), poli: text(), date: text() });

const status = <const P extends string>(path: P) =>
  endpoint({
    ...common,
    method: 'get',
    path: `${path}/{poli}/{date}`,
    summary: 'Status Antrean',
    params: statusParams,
  });

/** What a first-level clinic offers: the paths are fixed below a base. */
export const firstLevel = {
  Token: get(tokenPaths[1], 'Token'),
  Status: status(`${fktp}/antrean/status`),
  StatusV2: status(`${fktp}/v2/antrean/status`),
  Take: post(`${fktp}/antrean`, 'Ambil Antrean'),
  TakeV2: post(`${fktp}/v2/antrean`, 'Ambil Antrean'),
  Left: endpoint({
    ...common,
    method: 'get',
    path: `${fktp}/antrean/sisapeserta/{card}/{poli}/{date}`,
    summary: 'Sisa Antrean',
    params: leftParams,
  }),
  Cancel: put(`${fktp}/antrean/batal`, 'Batal Antrean'),
  CancelV2: put(`${fktp}/v2/antrean/batal`, 'Batal Antrean'),
  NewPatient: post(`${fktp}/peserta`, 'Info Pasien Baru'),
} as const;

/** All of them: a clinic offers the one family or the other. */
export const bpjsContracts: readonly Endpoint[] = [...Object.values(hospital), ...Object.values(firstLevel)];
