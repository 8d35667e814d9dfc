import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Language } from '../../endpoint/messages.ts';
import type { AppEnv } from '../context.ts';
import { respond } from '../respond.ts';
import { formStyle } from './form-style.ts';
import { formHeaders } from './page-headers.ts';

/** A page that a mail's link opens: a sentence, and a button where something can be done. */
export interface FormPage {
  title: string;
  text: string;
  button?: string;
  /** Another thing that can be done, at another address. */
  other?: { text: string; href: string };
  /** Whose page it is, and where to call, as far as the clinic has told. */
  from?: { name: string; phone: string } | undefined;
}

const phoneWords = { id: 'Telepon klinik', en: 'Call the clinic' } as const satisfies Record<
  Language,
  string
>;

/**
 * Answers with a page that is one form, which posts to its own address. It loads nothing else: no script and no
 * picture, and its style is in the page.
 */
export const answerForm = (
  c: Context<AppEnv>,
  language: Language,
  { title, text, button, other, from }: FormPage,
  status = 200,
) => {
  const page = html`<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title><style>${raw(formStyle)}</style>
<main>${from?.name ? html`<p>${from.name}</p>` : ''}<h1>${title}</h1><p>${text}</p>${
    button === undefined ? '' : html`<form method="post"><button>${button}</button></form>`
  }${other === undefined ? '' : html`<p><a href="${other.href}">${other.text}</a></p>`}${
    from?.phone
      ? html`<p>${phoneWords[language]}: <a href="tel:${from.phone.replace(/[^+\d]/g, '')}">${from.phone}</a></p>`
      : ''
  }</main>
</html>`;
  const headers = {
    ...formHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
  };
  return respond(c, { status, raw: String(page), headers });
};
