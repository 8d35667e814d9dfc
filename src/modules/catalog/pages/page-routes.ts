import type { Context } from 'hono';
import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { run } from '../../../core/db/db.ts';
import { type AppEnv, depsOf } from '../../../core/http/context.ts';
import { sameTag } from '../../../core/http/etag.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { answerFile } from '../../../core/http/pages/file-answer.ts';
import { answerForm, type FormPage } from '../../../core/http/pages/form-page.ts';
import { hashedForever, pageHeaders } from '../../../core/http/pages/page-headers.ts';
import { respond } from '../../../core/http/respond.ts';
import { decodeBytes } from '../clinic/rules.ts';
import { pageUrl } from './actions.ts';
import { cardHtml, type Made, type Place, pageHtml } from './html.ts';
import { findPageAt, findPhoto, listPublished } from './queries.ts';
import { isSlug } from './rules.ts';
import { readShown, type Shown } from './shown.ts';
import { robotsText, sitemapXml } from './sitemap.ts';

const missing: Record<Place['language'], FormPage> = {
  id: {
    title: 'Halaman tidak ditemukan',
    text: 'Tidak ada halaman dokter di alamat ini.',
    other: { text: 'Lihat semua dokter', href: '/pasien/dokter' },
  },
  en: {
    title: 'Page not found',
    text: 'There is no page of a doctor at this address.',
    other: { text: 'See all doctors', href: '/pasien/dokter' },
  },
};

const hashText = async (text: string): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));

const policyHash = async (text: string): Promise<string> =>
  `'sha256-${btoa(String.fromCharCode(...new Uint8Array(await hashText(text))))}'`;

/** What the browser may load for the page: the texts within it, pictures of this service, and nothing else. */
const buildPolicy = async ({ style, data }: Made, ancestors: readonly string[]): Promise<string> =>
  [
    "default-src 'none'",
    `style-src ${await policyHash(style)}`,
    `script-src ${data === null ? "'none'" : await policyHash(data)}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');

const { 'x-frame-options': _deny, ...framed } = pageHeaders;

interface Kind {
  /** Behind the address of the page. */
  end: '' | '/kartu';
  slots: number;
  make: (shown: Shown, place: Place) => Made;
}

const kinds: readonly Kind[] = [
  { end: '', slots: 6, make: pageHtml },
  { end: '/kartu', slots: 3, make: cardHtml },
];

/** The service's own origin: where it is not set, the one that was asked. */
const originOf = (c: Context<AppEnv>): string => depsOf(c).config.PUBLIC_URL ?? new URL(c.req.url).origin;

/** Without PUBLIC_URL the addresses are what the request says, which no other request has to be shown. */
const cacheControl = (c: Context<AppEnv>): string =>
  depsOf(c).config.PUBLIC_URL === undefined ? 'no-cache' : 'public, max-age=0, s-maxage=60';

/** Serves the published pages of doctors, their cards for other web sites, their photos, and their list for search engines. */
export const mountDoctorPages = (serve: Serve): void => {
  const answerMissing = (c: Context<AppEnv>) => {
    const { language } = c.get('arrival');
    return answerForm(c, language, missing[language], 404);
  };
  const answerPage = async (c: Context<AppEnv>, { end, slots, make }: Kind) => {
    const slug = c.req.param('slug') ?? '';
    if (!isSlug(slug)) return answerMissing(c);
    const deps = depsOf(c);
    const { db } = deps;
    const [found] = await run(db, findPageAt(db, { slug }));
    if (found === undefined) return answerMissing(c);
    const ancestors: string[] = end === '' ? [] : JSON.parse(found.embedOrigins);
    if (end !== '' && ancestors.length === 0) return answerMissing(c);
    if (found.page.slug !== slug)
      return respond(c, {
        status: 301,
        raw: '',
        headers: {
          ...pageHeaders,
          Location: `/dokter/${found.page.slug}${end}`,
          'Cache-Control': 'no-cache',
        },
      });
    const shown = await readShown(deps, deps.clock(), found, slots);
    const { language } = c.get('arrival');
    const origin = originOf(c);
    const made = make(shown, {
      language,
      origin,
      url: pageUrl(deps, slug, origin),
      zone: deps.clinicTime.zone,
    });
    const etag = `W/"${toBase64Url((await hashText(made.page)).slice(0, 15))}"`;
    const headers = {
      ...(end === '' ? pageHeaders : { ...framed, 'cross-origin-opener-policy': 'unsafe-none' }),
      'content-security-policy': await buildPolicy(made, ancestors),
      'Cache-Control': cacheControl(c),
      'Content-Language': language,
      Vary: 'Accept-Language',
      ETag: etag,
    };
    if (sameTag(c.req.header('If-None-Match') ?? '', etag)) return respond(c, { status: 304, headers });
    const content = { ...headers, 'Content-Type': 'text/html; charset=utf-8' };
    return respond(c, { status: 200, raw: made.page, headers: content });
  };
  for (const kind of kinds) serve('GET', `/dokter/:slug${kind.end}`, (c) => answerPage(c, kind));
  const answerText = (c: Context<AppEnv>, raw: string, type: string) => {
    const headers = {
      ...pageHeaders,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': cacheControl(c),
    };
    return respond(c, { status: 200, raw, headers });
  };
  serve('GET', '/robots.txt', (c) => answerText(c, robotsText(originOf(c)), 'text/plain'));
  serve('GET', '/sitemap.xml', async (c) => {
    const { db } = depsOf(c);
    const pages = await run(db, listPublished(db, {}));
    return answerText(c, sitemapXml(originOf(c), pages), 'application/xml');
  });
  serve('GET', '/foto/:tag', async (c) => {
    const { db } = depsOf(c);
    const [row] = await run(db, findPhoto(db, { tag: c.req.param('tag') ?? '' }));
    const file = row && {
      content: decodeBytes(row.content),
      contentType: row.contentType,
      etag: `"${row.tag}"`,
    };
    return answerFile(c, file, { ...pageHeaders, 'Cache-Control': hashedForever });
  });
};
