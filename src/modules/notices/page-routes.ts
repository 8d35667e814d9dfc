import type { Context } from 'hono';
import { Failure } from '../../core/endpoint/errors.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { readBody } from '../../core/http/body.ts';
import { type AppEnv, depsOf } from '../../core/http/context.ts';
import type { Serve } from '../../core/http/observed.ts';
import { answerForm, type FormPage } from '../../core/http/pages/form-page.ts';
import { respond } from '../../core/http/respond.ts';
import { stopMails } from './actions.ts';
import { isSigned, noteReports } from './status.ts';
import { personOfStopToken } from './stop-token.ts';

const words: Readonly<Record<'ask' | 'done' | 'unknown', Readonly<Record<Language, FormPage>>>> = {
  ask: {
    id: {
      title: 'Berhenti menerima email',
      text: 'Klinik tidak akan lagi mengirim email tentang janji temu Anda dan keluarga Anda.',
      button: 'Berhenti menerima email',
    },
    en: {
      title: 'Stop e-mails',
      text: 'The clinic will no longer send you e-mails about your appointments and those of your family.',
      button: 'Stop e-mails',
    },
  },
  done: {
    id: {
      title: 'Anda tidak akan menerima email lagi',
      text: 'Pilihan Anda telah disimpan. Anda dapat mengubahnya kapan saja di halaman akun.',
    },
    en: {
      title: 'You will get no more e-mails',
      text: 'Your choice was saved. You can change it at any time on the page of your account.',
    },
  },
  unknown: {
    id: { title: 'Tautan tidak berlaku', text: 'Silakan ubah pilihan Anda di halaman akun.' },
    en: { title: 'This link is not valid', text: 'Please change your choices on the page of your account.' },
  },
};

const answerPage = (c: Context<AppEnv>, page: keyof typeof words, status = 200) => {
  const { language } = c.get('arrival');
  return answerForm(c, language, words[page][language], status);
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new Failure('malformed_json');
  }
};

/**
 * Endpoints that no API client calls: the link that unsubscribes from mails, and the gateway's delivery reports. A mail
 * program posts a form to the link (RFC 8058), whose one field adds nothing to the address. A GET changes nothing,
 * since malware scanners open every link.
 */
export const mountNoticePages = (serve: Serve): void => {
  const path = '/notices/stop/:token';
  const findPerson = (c: Context<AppEnv>) => personOfStopToken(depsOf(c), c.req.param('token') ?? '');
  serve('GET', path, async (c) =>
    (await findPerson(c)) === null ? answerPage(c, 'unknown', 404) : answerPage(c, 'ask'),
  );
  serve('POST', path, async (c) => {
    const personId = await findPerson(c);
    if (personId === null) return answerPage(c, 'unknown', 404);
    const deps = depsOf(c);
    await stopMails(deps, personId, deps.clock());
    return answerPage(c, 'done');
  });
  serve('POST', '/notices/status', async (c) => {
    const deps = depsOf(c);
    const body = await readBody(c.req, false);
    if (!(await isSigned(deps.config.NOTICE_CALLBACK_SECRET, body, c.req.header('X-Hub-Signature-256'))))
      throw new Failure('unauthenticated');
    await noteReports(deps, parsed(body));
    return respond(c, { status: 200 });
  });
};
