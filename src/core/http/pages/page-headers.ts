import { secureHeaders } from 'hono/secure-headers';
import { collectHeaders, strictTransportSecurity } from '../headers.ts';
import { formStyleHash } from './form-style.ts';

const own = ["'self'"];
const nobody: string[] = [];

/**
 * The headers of the pages and of what they load. The one source of the policy: the build writes it to `_headers` as well,
 * for the files that Workers serve without asking us.
 */
export const pageHeaders = await collectHeaders(
  secureHeaders({
    strictTransportSecurity,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: [...own, 'data:'],
      fontSrc: own,
      connectSrc: own,
      mediaSrc: own,
      manifestSrc: own,
      workerSrc: own,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['janji'],
    },
    permissionsPolicy: {
      screenWakeLock: ['self'],
      fullscreen: ['self'],
      autoplay: ['self'],
      camera: nobody,
      microphone: nobody,
      geolocation: nobody,
      payment: nobody,
      usb: nobody,
    },
    crossOriginResourcePolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
  }),
);

/** Those of the kiosk, which reads QR codes: the only page that may use the camera, and only if a person allows it. */
export const kioskHeaders = Object.fromEntries(
  Object.entries(pageHeaders).map(([name, value]) => [
    name,
    name === 'permissions-policy' ? value.replace('camera=()', 'camera=(self)') : value,
  ]),
);

/** The headers of the interactive reference: a page that sends requests only to this service. */
export const referenceHeaders = await collectHeaders(
  secureHeaders({
    strictTransportSecurity,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: [...own, 'data:'],
      connectSrc: own,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
  }),
);

/** The headers of a page that is one form, sent to this service, without script or picture, and with one style. */
export const formHeaders = await collectHeaders(
  secureHeaders({
    strictTransportSecurity,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: [`'${formStyleHash}'`],
      baseUri: ["'none'"],
      formAction: own,
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
  }),
);

/** The caching of a file whose name contains the hash of its content. */
export const hashedForever = 'public, max-age=31536000, immutable';
