import { html } from '../../../core/http/pages/markup.ts';

/** What search engines are told: every page may be read, and where the list of doctors' pages is. */
export const robotsText = (origin: string): string =>
  `User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`;

interface Listed {
  slug: string;
  updatedAt: number;
}

/** The page where all doctors are found, and the published page of each, by https://www.sitemaps.org. */
export const sitemapXml = (origin: string, pages: readonly Listed[]): string =>
  String(html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${origin}/pasien/dokter</loc></url>
${pages.map(
  ({ slug, updatedAt }) =>
    html`<url><loc>${origin}/dokter/${slug}</loc><lastmod>${new Date(updatedAt).toISOString().slice(0, 10)}</lastmod></url>
`,
)}</urlset>
`);
