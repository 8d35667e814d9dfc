import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp';
import { fromBase64Url, toBase64Url } from '../../../core/crypto/base64url.ts';
import { codeDigits, openSteps, stepSeconds } from './rules.ts';

/** The name that an authenticator app shows in its list. */
const issuer = 'Janji';

/** A new secret of an authenticator app: 160 random bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(20)));

/** The address that an authenticator app reads from a QR code. */
export const buildOtpauth = (secret: string, email: string): string =>
  createTOTPKeyURI(issuer, email, fromBase64Url(secret), stepSeconds, codeDigits);

/** The secret to type into an app that cannot scan a QR code. */
export const readTypedSecret = (otpauth: string): string => new URL(otpauth).searchParams.get('secret') ?? '';

/** The time step of a code that is valid now; null for a wrong code, a used one, and one from before the last used step. */
export const findStep = (secret: string, code: string, newestUsed: number, now: number): number | null => {
  const key = fromBase64Url(secret);
  return openSteps(now, newestUsed).find((step) => verifyHOTP(key, BigInt(step), codeDigits, code)) ?? null;
};
