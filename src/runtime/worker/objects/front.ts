import { HonoBase } from 'hono/hono-base';
import { openCalled } from '../../../core/db/object.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import type { AppEnv } from '../../../core/http/context.ts';
import { failureAnswer } from '../../../core/http/failed.ts';
import { observer, type Serve, unmatched } from '../../../core/http/observed.ts';
import { mountPages } from '../../../core/http/pages/routes.ts';
import { withPublicCache } from '../../../core/http/public-cache.ts';
import { respond, respondFailure } from '../../../core/http/respond.ts';
import { CachedRouter } from '../../../core/http/router.ts';
import { consoleLogger } from '../../../core/log.ts';
import { loggedMetrics } from '../../../core/metrics.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import { createDirectory } from '../../../modules/clinics/directory.ts';
import { createFront } from '../../../modules/clinics/front.ts';
import { type ClinicEntry, countClinics, findClinicByHost } from '../../../modules/clinics/queries.ts';
import { createAssetReader } from '../assets.ts';
import { afterAnswers } from '../background.ts';
import { platformCache } from '../platform-cache.ts';
import { parseBindings } from '../settings.ts';
import type { ObjectBindings } from './calls.ts';
import { clinicOf } from './clinic-of.ts';
import { FrontHasher } from './front-hasher.ts';
import { mountOperator } from './operator.ts';

/** The one object that is the directory. */
const directoryName = 'directory';

/** The paths that the front answers by itself under the host of any clinic: pages and their files. */
const ofPages = /^\/(assets|pasien|konsol|layar|mulai)(\/|$)/;
/** The paths of the deployment, under every host that is no clinic's. */
const ofDeployment = /^\/(health$|ready$|operator\/)/;

/** The database of the directory. Each step is a call of its own: an object is called for one request alone. */
export const openDirectory = ({ DIRECTORY }: ObjectBindings) =>
  openCalled({
    runStep: (calls) => DIRECTORY.get(DIRECTORY.idFromName(directoryName)).runStep(calls),
  });

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && (error as { retryable?: boolean; overloaded?: boolean }).retryable === true;

/** Asks a clinic's object; a read is repeated once if the object was moved or replaced at that moment. */
const askObject = async (
  bindings: ObjectBindings,
  clinic: ClinicEntry,
  request: Request,
): Promise<Response> => {
  const ask = (asked: Request) => clinicOf(bindings, clinic).serve(clinic, asked, new FrontHasher());
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const again = isRead ? request.clone() : null;
  try {
    return await ask(request);
  } catch (error) {
    if (again === null || !isRetryable(error)) throw error;
    return ask(again);
  }
};

/** The front of all clinics: finds the clinic of a host, serves pages, hashes passwords, and forwards the rest. */
export const createObjectsFront = (bindings: ObjectBindings) => {
  const { config } = parseBindings(bindings);
  const log = consoleLogger(config.LOG_LEVEL);
  const directory = openDirectory(bindings);
  const deps = {
    config,
    log,
    metrics: loggedMetrics(log),
    publicFile: createAssetReader(bindings.ASSETS),
  };
  const app = new HonoBase<AppEnv>({ router: new CachedRouter() });
  const failed = failureAnswer(deps);
  const observe = observer(deps, failed);
  const serve: Serve = (method, path, handle, format, headers) =>
    void app.on([method], [path], observe(path, handle, format, headers));
  mountPages(serve, deps);
  serve('GET', '/health', (c) => respond(c, { status: 200, data: { name: 'janji' } }));
  serve('GET', '/ready', async (c) => {
    await countClinics(directory);
    return respond(c, { status: 200, data: { directory: 'ready' } });
  });
  mountOperator(serve, { bindings, config, directory });
  app.notFound(observe(unmatched, (c) => respondFailure(c, 'not_found')));
  app.onError(failed);

  const kept = { cache: platformCache, clock: Date.now, background: afterAnswers(log) };
  const isKept = ({ settings: { PUBLIC_CACHE = config.PUBLIC_CACHE } }: ClinicEntry): boolean =>
    PUBLIC_CACHE === 'on';

  return createFront({
    formats: failureFormats,
    directory: createDirectory({
      read: (host) => findClinicByHost(directory, host),
      clock: Date.now,
      failed: (error) => log.error('directory', { cause: error instanceof Error ? error.name : 'unknown' }),
    }),
    opener: {
      answer: async (clinic, request) => {
        if (ofPages.test(new URL(request.url).pathname)) return app.fetch(request, bindings);
        try {
          const ask = (asked: Request) => askObject(bindings, clinic, asked);
          return await (isKept(clinic) ? withPublicCache(ask, kept) : ask)(request);
        } catch (error) {
          log.error('clinic does not answer', {
            clinic: clinic.id,
            cause: error instanceof Error ? error.message : 'unknown',
          });
          throw new Unavailable('the object of the clinic does not answer', { cause: error });
        }
      },
    },
    ownPaths: (request) =>
      ofDeployment.test(new URL(request.url).pathname) ? app.fetch(request, bindings) : null,
    refused: (code, clinicId) => {
      if (clinicId !== null) log.warn('refused', { clinic: clinicId, code });
    },
  });
};
