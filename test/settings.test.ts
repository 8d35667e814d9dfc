import { describe, expect, it } from 'vitest';
import { ensureClinic } from '../src/core/clinic/row.ts';
import { resolveRules } from '../src/core/clinic/rules.ts';
import { buildRelyingParty, parseConfig } from '../src/core/settings/config.ts';
import { parseAllSettings } from '../src/runtime/node/settings.ts';
import { createWorld } from './support/world.ts';

describe('settings', () => {
  it('hold their documented defaults when nothing is set', () => {
    expect(parseConfig({})).toMatchObject({
      CLINIC_TIME_ZONE: 'Asia/Jakarta',
      ACCESS_TOKEN_TTL_SECONDS: 3600,
      PASSWORD_MIN_LENGTH: 8,
      RATE_LIMIT: 'on',
      CORS_ORIGINS: [],
    });
    expect(resolveRules(parseConfig({}), {})).toEqual({
      minNoticeMinutes: 30,
      retentionYears: 0,
      maxAdvanceDays: 90,
      cancelLeadMinutes: 0,
      maxLiveBookings: 20,
      maxUnprovedBookings: 2,
      approvalAfterNoShows: 0,
      selfCheckInMinutes: 0,
    });
  });

  it.each([
    ['CLINIC_TIME_ZONE', 'Mars/Olympus'],
    ['JWT_SECRET', 'short'],
    ['PASSWORD_MIN_LENGTH', '7'],
    ['MIN_NOTICE_MINUTES', '-1'],
    ['MAX_ADVANCE_DAYS', 'many'],
    ['RATE_LIMIT', 'maybe'],
    ['CORS_ORIGINS', 'https://klinik.example/path'],
    ['CORS_ORIGINS', 'ws://klinik.example'],
    ['PUBLIC_URL', 'ftp://janji.klinik.example'],
    ['LOG_LEVEL', 'loud'],
  ])('refuse %s=%s in one line that names it and says what it takes', (name, value) => {
    expect(() => parseConfig({ [name]: value })).toThrow(
      new RegExp(`^${name} is not acceptable: it takes .+\\.$`),
    );
  });

  it('name each setting that a health system which is switched on still needs, a line each', () => {
    expect(() => parseConfig({ SATUSEHAT: 'on', SATUSEHAT_CLIENT_ID: 'klien' })).toThrow(
      /^SATUSEHAT_AUTH_URL is missing: SATUSEHAT is on\. .+\nSATUSEHAT_FHIR_URL .+\nSATUSEHAT_CLIENT_SECRET .+\nSATUSEHAT_ORGANIZATION_ID .+$/,
    );
    const url = 'https://apijkn.bpjs-kesehatan.go.id/antreanrs/';
    for (const read of [parseConfig, parseAllSettings])
      expect(() => read({ BPJS: 'rs', BPJS_URL: url })).toThrow(
        /^BPJS_CONS_ID is missing: queues are reported to BPJS\. .+\nBPJS_SECRET .+\nBPJS_USER_KEY .+$/,
      );
    // What BPJS asks needs no account there.
    expect(parseConfig({ BPJS: 'rs' }).BPJS).toBe('rs');
  });

  it('are read from numbers and booleans too, as wrangler.toml may have them', () => {
    const variables = { MIN_NOTICE_MINUTES: 60, CANCEL_LEAD_MINUTES: 0, WEBHOOK_ALLOW_PRIVATE: true };
    expect(parseConfig(variables)).toMatchObject({
      MIN_NOTICE_MINUTES: 60,
      CANCEL_LEAD_MINUTES: 0,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    for (const wrong of [{ MAX_ADVANCE_DAYS: 0 }, { RATE_LIMIT: false }, { LOG_LEVEL: {} }])
      expect(() => parseConfig(wrong)).toThrow(`${Object.keys(wrong)[0]} is not acceptable`);
  });

  it('lead to the own pages where the service knows its address, and to others where they are named', () => {
    const PUBLIC_URL = 'https://janji.klinik.example';
    for (const read of [parseConfig, parseAllSettings]) {
      expect(read({})).toMatchObject({ PASSWORD_RESET_URL: undefined, EMAIL_PROOF_URL: undefined });
      expect(read({ PUBLIC_URL })).toMatchObject({
        PASSWORD_RESET_URL: `${PUBLIC_URL}/pasien/atur-ulang`,
        EMAIL_PROOF_URL: `${PUBLIC_URL}/pasien/akun/email`,
      });
      const PASSWORD_RESET_URL = 'https://app.klinik.example/sandi';
      expect(read({ PUBLIC_URL, PASSWORD_RESET_URL })).toMatchObject({ PASSWORD_RESET_URL });
      expect(() => read({ PUBLIC_URL: `${PUBLIC_URL}/janji` })).toThrow(/^PUBLIC_URL is not acceptable/);
    }
    expect(buildRelyingParty(parseConfig({ PUBLIC_URL }))).toEqual({
      domain: 'janji.klinik.example',
      origins: [PUBLIC_URL],
    });
  });

  it('name every problem at once and repeat no value, which may be a secret', () => {
    expect(() => parseConfig({ JWT_SECRET: 'geheim', RATE_LIMIT: 'x' })).toThrow(/JWT_SECRET.*\nRATE_LIMIT/);
    expect(() => parseConfig({ JWT_SECRET: 'geheim' })).not.toThrow(/geheim/);
  });

  it('refuse another time zone than the database was filled in, and name the command that moves it', async () => {
    const world = await createWorld();
    await expect(ensureClinic(world.db, 'Asia/Makassar')).rejects.toThrow(
      /the database was filled in Asia\/Jakarta.*janji rezone --to Asia\/Makassar/,
    );
  });
});
