import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The headers that a middleware sets after the handler, computed once, so that they cost nothing per request. */
export const collectHeaders = async (
  middleware: MiddlewareHandler,
): Promise<Readonly<Record<string, string>>> => {
  // Such a middleware changes only the answer.
  const bare = { res: new Response() } as Context;
  await middleware(bare, async () => {});
  return Object.fromEntries(bare.res.headers);
};

/** A year, as ASVS 5 requires: after the first visit a browser uses only https. */
export const strictTransportSecurity = 'max-age=31536000; includeSubDomains';

const notForPages = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

/**
 * The security headers of a data answer; pages have more. They are few, because each answer sends them. Computed once
 * at start with Hono's middleware: as a middleware they would cost more than the rest of a short request.
 */
export const securityHeaders = await collectHeaders(
  secureHeaders({
    ...notForPages,
    strictTransportSecurity,
    contentSecurityPolicy: { frameAncestors: ["'none'"] },
  }),
);
