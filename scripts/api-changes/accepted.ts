const noEmail =
  'Only of an account that was made by a code to a phone, which a clinic turns on (LOGIN_BY_PHONE_CODE): where it does not, every account has an e-mail.';

/**
 * Breaking changes that were decided since the last release, each with its reason: as `npm run api:changes` prints them.
 * Emptied by a release.
 */
export const accepted: Readonly<Record<string, string>> = {
  'GET /v1/auth/profile: `data.user.email` may be `null`': noEmail,
  'PATCH /v1/auth/profile: `data.user.email` may be `null`': noEmail,
  'POST /v1/auth/login: `data.user.email` may be `null`': noEmail,
  'POST /v1/auth/login/second-factor: `data.user.email` may be `null`': noEmail,
  'POST /v1/auth/register: `data.user.email` may be `null`': noEmail,
  'POST /v1/auth/session: `data.user.email` may be `null`': noEmail,
  'POST /v1/auth/session/refresh: `data.user.email` may be `null`': noEmail,
  'POST /v1/setup: `data.user.email` may be `null`': noEmail,
  'GET /v1/admin/people/{id}: `data.email` may be `null`': noEmail,
  'PATCH /v1/admin/people/{id}: `data.email` may be `null`': noEmail,
  'POST /v1/admin/people/{id}/deactivate: `data.email` may be `null`': noEmail,
  'GET /v1/admin/people: `data[].email` may be `null`': noEmail,
  'POST /v1/admin/people: `data.email` may be `null`': noEmail,
  'POST /v1/admin/people/{id}/reactivate: `data.email` may be `null`': noEmail,
  'POST /v1/auth/export: `data.account.email` may be `null`': noEmail,
  'POST /v1/patients/{id}/export: `data.account.email` may be `null`': noEmail,
  'POST /v1/auth/email/change/verify: `data.user.email` may be `null`': noEmail,
};
