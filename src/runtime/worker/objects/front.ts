import { openCalled } from '../../../core/db/object.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { createObservedApp } from '../../../core/http/observed-app.ts';
import { clinicApps, mountPages } from '../../../core/http/pages/routes.ts';
import { withPublicCache } from '../../../core/http/public-cache.ts';
import { consoleLogger, errorName } from '../../../core/log.ts';
import { mailerFrom } from '../../../core/mailer.ts';
import { loggedMetrics } from '../../../core/metrics.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { createDirectory } from '../../../modules/clinics/directory.ts';
import { createFront } from '../../../modules/clinics/front.ts';
import { type ClinicEntry, countClinics, findClinicByHost } from '../../../modules/clinics/queries.ts';
import { createSettingsBox, originsOf } from '../../../modules/clinics/settings.ts';
import { operatorsKeyId } from '../../../modules/operators/accounts.ts';
import { operatorSecret } from '../../../modules/operators/caller.ts';
import type { MountDeployment } from '../../../modules/operators/needs.ts';
import { readSignup } from '../../../modules/operators/signup.ts';
import { hasTestKey } from '../../../modules/sandbox/front.ts';
import { createAssetReader, createCommonPasswordReader } from '../assets.ts';
import { afterAnswers } from '../background.ts';
import { workerMailer } from '../mailer.ts';
import { platformCache } from '../platform-cache.ts';
import { parseBindings } from '../settings.ts';
import { assertClasses, type ObjectBindings } from './calls.ts';
import { clinicOf } from './clinic-of.ts';
import { FrontHasher } from './front-hasher.ts';
import { createObjectHosting } from './hosting.ts';

/** The one object that is the directory. */
const directoryName = 'directory';

/** The paths that the front answers by itself under the host of any clinic: pages and their files. */
const ofPages = new RegExp(`^/(assets|${Object.keys(clinicApps).join('|')})(/|$)`);
/** The paths of the deployment, under every host that is no clinic's. */
const ofDeployment = /^\/(health$|ready$|operator(\/|$))/;

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
export const createObjectsFront = (bindings: ObjectBindings, mountDeployment: MountDeployment) => {
  const { config, secret, dataKey } = parseBindings(bindings);
  assertClasses(bindings, config);
  const log = consoleLogger(config.LOG_LEVEL);
  const directory = openDirectory(bindings);
  const background = afterAnswers(log);
  const mailer = mailerFrom(workerMailer(config, log), config.MAIL_FROM);
  const makeBox = () => createSettingsBox(operatorsKeyId, config, { secret, dataKey });
  const known = createDirectory({
    read: (host) => findClinicByHost(directory, host),
    clock: Date.now,
    failed: (error) => log.error('directory', { cause: errorName(error) }),
  });
  const deps = {
    config,
    log,
    metrics: loggedMetrics(log),
    publicFile: createAssetReader(bindings.ASSETS),
  };
  const { app, serve } = createObservedApp(() => deps);
  mountPages(serve, () => deps.publicFile);
  mountDeployment(serve, {
    db: directory,
    clock: () => Date.now(),
    hasher: createHasher(),
    // Made for each: requests share no promise.
    box: {
      open: async (sealed) => (await makeBox()).open(sealed),
      seal: async (text) => (await makeBox()).seal(text),
    },
    isThrottled: config.RATE_LIMIT !== 'off',
    commonPasswords: createCommonPasswordReader(bindings.ASSETS),
    secret: operatorSecret(bindings.OPERATOR_SECRET),
    clientAddress: (request) => request.headers.get('CF-Connecting-IP') ?? '',
    hosting: createObjectHosting({ bindings, config, directory, forget: () => known.changed() }),
    log,
    mailer,
    signup: readSignup({ isOn: bindings.SIGNUP === 'on', origin: config.PUBLIC_URL, mailer, background }),
    publicFile: deps.publicFile,
    assertReady: () => countClinics(directory),
  });

  const kept = { cache: platformCache, clock: Date.now, background };
  const isKept = ({ settings: { PUBLIC_CACHE = config.PUBLIC_CACHE } }: ClinicEntry): boolean =>
    PUBLIC_CACHE === 'on';

  return createFront({
    formats: failureFormats,
    originsOf: (clinic) => originsOf(config, clinic),
    directory: known,
    opener: {
      answer: async (clinic, request) => {
        // What has a test key is the sandbox's to answer, pages included.
        if (ofPages.test(new URL(request.url).pathname) && !hasTestKey(request))
          return app.fetch(request, { bindings });
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
      ofDeployment.test(new URL(request.url).pathname) ? app.fetch(request, { bindings }) : null,
    refused: (code, clinicId) => {
      if (clinicId !== null) log.warn('refused', { clinic: clinicId, code });
    },
  });
};
