import * as z from 'zod/mini';
import { isPage } from '../clinic/notice-settings.ts';
import { keyPattern, keyText } from '../crypto/key-text.ts';
import { roles } from '../endpoint/roles.ts';

/** A whole number as the environment writes it, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
    z.int().check(z.minimum(min), z.maximum(max)),
  );

export const listed = () =>
  z.pipe(
    z.string(),
    z.transform((list: string) =>
      list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  );

export const roleList = () => z.pipe(listed(), z.array(z.enum(roles)));

export const onOff = () => z.enum(['on', 'off']);

export const secret = () => z.string().check(z.refine((text) => new TextEncoder().encode(text).length >= 32));

/** 32 bytes in base64, base64url or hex; read as base64url. */
export const key = () => z.pipe(z.string().check(z.regex(keyPattern)), z.transform(keyText));

// A wildcard would be a host's name to URL, and match nothing.
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text && !text.includes('*');

// Browsers allow passkeys only on https pages and on localhost; an IP address has no domain to which they could belong.
export const isPasskeyOrigin = (text: string): boolean => {
  if (!isOrigin(text)) return false;
  const { protocol, hostname } = new URL(text);
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname));
};

// The key travels with every mail: in the clear only to this machine.
export const isMailApi = (text: string): boolean =>
  isPage(text) && (text.startsWith('https:') || /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(text));

/** An address that a health system has given, without a slash at its end. */
export const partnerUrl = () =>
  z.pipe(
    z.string().check(z.refine(isMailApi)),
    z.transform((text: string) => text.replace(/\/+$/, '')),
  );

/** A text that a header can have. */
export const headerText = () => z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));

export const origins = (isAccepted = isOrigin) =>
  z.pipe(listed(), z.array(z.string().check(z.refine(isAccepted))));

/** A setting that is a number of something, within bounds. */
export const counted = <O extends string | undefined>(
  unit: string,
  min: number,
  max: number,
  otherwise: O,
) => ({
  accepts: `${unit} from ${min} to ${max}`,
  shape: () => wholeNumber(min, max),
  otherwise,
});

export const keyWords = '32 bytes in base64 or hex, such as openssl rand -base64 32 prints';

/** A setting that may be missing. */
export const optional = <const S>(accepts: string, shape: () => S) => ({
  accepts,
  shape,
  otherwise: undefined,
});

export const switched = <O extends 'on' | 'off'>(otherwise: O) => ({
  accepts: 'on or off',
  shape: onOff,
  otherwise,
});
