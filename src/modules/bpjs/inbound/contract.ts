import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '../../../core/endpoint/endpoint.ts';
import { bpjsPath, tokenPaths } from './dialect.ts';

const common = {
  tag: 'bpjs',
  // docs/interop.md says this, and what can fail: these contracts are in no document.
  summary: 'BPJS',
  access: 'bearer',
  scope: 'antrean:write',
  discloses: 'nothing',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'Done.' } },
} as const;

/** Fields are judged by our own rules, one after the other: BPJS shows the patient a sentence for each. */
const body = () => z.looseObject({});
const text = () => z.string();

const get = (path: string) => endpoint({ ...common, method: 'get', path });
const post = (path: string) => endpoint({ ...common, method: 'post', path, body });
const put = (path: string) => endpoint({ ...common, method: 'put', path, body });

const rs = `${bpjsPath}/rs`;
const fktp = `${bpjsPath}/fktp`;

/** What a hospital offers: the paths are the clinic's own choice. */
export const hospital = {
  Token: get(tokenPaths[0]),
  Status: post(`${rs}/antrean/status`),
  Take: post(`${rs}/antrean/ambil`),
  Left: post(`${rs}/antrean/sisa`),
  Cancel: post(`${rs}/antrean/batal`),
  CheckIn: post(`${rs}/antrean/checkin`),
  NewPatient: post(`${rs}/pasien/baru`),
  Operations: post(`${rs}/operasi/rs`),
  OwnOperations: post(`${rs}/operasi/pasien`),
  TakePharmacy: post(`${rs}/farmasi/ambil`),
  PharmacyStatus: post(`${rs}/farmasi/status`),
} as const;

const statusParams = () => z.object({ poli: text(), date: text() });
const leftParams = () => z.object({ card: text(), poli: text(), date: text() });

const status = <const P extends string>(path: P) =>
  endpoint({
    ...common,
    method: 'get',
    path: `${path}/{poli}/{date}`,
    params: statusParams,
  });

/** What a first-level clinic offers: the paths are fixed below a base. */
export const firstLevel = {
  Token: get(tokenPaths[1]),
  Status: status(`${fktp}/antrean/status`),
  StatusV2: status(`${fktp}/v2/antrean/status`),
  Take: post(`${fktp}/antrean`),
  TakeV2: post(`${fktp}/v2/antrean`),
  Left: endpoint({
    ...common,
    method: 'get',
    path: `${fktp}/antrean/sisapeserta/{card}/{poli}/{date}`,
    params: leftParams,
  }),
  Cancel: put(`${fktp}/antrean/batal`),
  CancelV2: put(`${fktp}/v2/antrean/batal`),
  NewPatient: post(`${fktp}/peserta`),
} as const;

/** All of them: a clinic offers the one family or the other. */
export const bpjsContracts: readonly Endpoint[] = [...Object.values(hospital), ...Object.values(firstLevel)];
