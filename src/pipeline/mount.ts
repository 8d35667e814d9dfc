import { once } from '../core/endpoint/once.ts';
import { readBody } from '../core/http/body.ts';
import { deprecationHeaders } from '../core/http/deprecation.ts';
import type { Serve } from '../core/http/observed.ts';
import { formatRequest } from '../core/http/respond.ts';
import type { AuthenticatedEndpoint, Dialect, Mount, PublicEndpoint } from '../modules/handler.ts';
import { type AnyAuthenticatedHandler, authenticatedRoute } from './authenticated-route.ts';
import type { ParsedContext } from './parse.ts';
import { type AnyPublicHandler, publicRoute } from './public-route.ts';

type PublicMount = [endpoint: PublicEndpoint, handler: AnyPublicHandler];
type AuthenticatedMount = [endpoint: AuthenticatedEndpoint, handler: AnyAuthenticatedHandler];

const isPublic = (mounted: PublicMount | AuthenticatedMount): mounted is PublicMount =>
  mounted[0].access === 'public';

/** Characters after a parameter within its segment belong to its value. */
const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}[^/]*/g, ':$1');

/**
 * Mounts endpoints on the app. If several checks would fail, the first of these answers: size and type, token, role,
 * access to the named record, syntax, fields, and last the handler, which judges the state. With a dialect they speak
 * that one: its media types, its answers, its way of naming the caller.
 */
export const mounter =
  (serve: Serve, dialect?: Dialect): Mount =>
  (...mounted: PublicMount | AuthenticatedMount): void => {
    // Made at the first request: most routes are never asked for.
    const route = once(() =>
      isPublic(mounted) ? publicRoute(...mounted) : authenticatedRoute(...mounted, dialect?.identify),
    );
    const [{ method, path, body, bodyOptional, deprecated }] = mounted;
    const isOptional = body === undefined || bodyOptional === true;
    const handle = (c: ParsedContext): Promise<Response> => {
      dialect?.assertAcceptable?.(formatRequest(c));
      if (method === 'get') return route()(c, '');
      return readBody(c.req, isOptional, dialect).then((text) => route()(c, text));
    };
    const headers = deprecated && deprecationHeaders(deprecated);
    serve(method.toUpperCase(), honoPath(path), handle, dialect, headers);
  };
