import type { Language } from '../../../core/endpoint/messages.ts';
import { html, raw } from '../../../core/http/pages/markup.ts';
import type { Shown } from './shown.ts';

/** What a page needs to know apart from its doctor. */
export interface Place {
  language: Language;
  /** The address to share. */
  url: string;
  /** The service's own origin: others see the page from elsewhere. */
  origin: string;
  zone: string;
}

const words = {
  id: {
    at: (clinic: string) => `di ${clinic}`,
    doctor: 'Dokter',
    about: 'Tentang',
    languages: 'Bahasa',
    education: 'Pendidikan',
    sessions: 'Layanan',
    next: 'Waktu terdekat',
    none: 'Belum ada waktu kosong dalam 31 hari ke depan.',
    book: 'Buat janji temu',
    bookWith: (name: string) => `Buat janji temu dengan ${name}`,
    photo: (name: string) => `Foto ${name}`,
    newTab: '(buka tab baru)',
    describe: (name: string, clinic: string) =>
      `Jadwal dan janji temu dengan ${name}${clinic && `, ${clinic}`}.`,
  },
  en: {
    at: (clinic: string) => `at ${clinic}`,
    doctor: 'Doctor',
    about: 'About',
    languages: 'Languages',
    education: 'Education',
    sessions: 'Services',
    next: 'Next times',
    none: 'No time is free within the next 31 days.',
    book: 'Book an appointment',
    bookWith: (name: string) => `Book an appointment with ${name}`,
    photo: (name: string) => `Photo of ${name}`,
    newTab: '(opens a new tab)',
    describe: (name: string, clinic: string) =>
      `Times and appointments with ${name}${clinic && `, ${clinic}`}.`,
  },
} as const;

const tags = { id: 'id-ID', en: 'en-GB' } as const;

/** The colours are those of the other pages, the clinic's own is a stripe; nothing is loaded but pictures. */
const style = `:root{color-scheme:light dark;--ground:#f6f8f7;--surface:#fff;--ink:#14211e;--soft:#465652;--line:#d3dbd8;--primary:#0b6a61;--on:#fff;--tint:#dff1ed;--on-tint:#0a5049;--focus:#0b4fb3}
@media(prefers-color-scheme:dark){:root{--ground:#0e1513;--surface:#151e1b;--ink:#e7efec;--soft:#b3c1bc;--line:#2a3733;--primary:#5ccfbe;--on:#03211d;--tint:#12362f;--on-tint:#a5e8db;--focus:#9cc4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:400 1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere;border-top:6px solid var(--accent)}
header,main{max-width:44rem;margin:0 auto;padding:16px}
header{display:flex;gap:12px;align-items:center;font-weight:600}
header img{max-height:40px;max-width:120px}
main{display:grid;gap:24px;padding-bottom:64px}
section,.who{background:var(--surface);border:1px solid var(--line);border-radius:16px;padding:24px}
.who{display:flex;flex-wrap:wrap;gap:24px;align-items:center}
.who>div{flex:1 1 14rem}
.who img{width:144px;height:144px;object-fit:cover;border-radius:16px;background:var(--tint)}
h1{margin:0;font-size:1.75rem;line-height:1.25}
h2{margin:0 0 12px;font-size:1.125rem}
p{margin:0 0 8px}
p:last-child{margin:0}
.soft{color:var(--soft)}
.about{white-space:pre-line}
ul{margin:0;padding:0 0 0 20px}
.times{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:12px}
.times a{display:block;min-height:48px;padding:10px 14px;border-radius:10px;background:var(--tint);color:var(--on-tint);text-decoration:none}
.times a:hover{text-decoration:underline}
.times strong,.times span{display:block}
.go{display:inline-flex;align-items:center;min-height:48px;margin-top:16px;padding:8px 20px;border-radius:10px;background:var(--primary);color:var(--on);font-weight:600;text-decoration:none}
.go:hover{text-decoration:underline}
a:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.card{background:var(--surface)}
.card main{max-width:none;gap:12px;padding:16px}
.card .who{border:0;padding:0;gap:16px;flex-wrap:nowrap}
.card .who img{width:72px;height:72px}
.card .who>div{flex:1 1 8rem}
.card h1{font-size:1.25rem}
.card .go{margin:0;justify-content:center}
@media print{.go{display:none}}`;

/** Languages of Indonesia that runtimes and browsers do not name. */
const regional: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  mad: { id: 'Madura', en: 'Madurese' },
  min: { id: 'Minangkabau', en: 'Minangkabau' },
  ban: { id: 'Bali', en: 'Balinese' },
  bug: { id: 'Bugis', en: 'Buginese' },
};

const formatNames = (codes: readonly string[], language: Language): string => {
  const names = new Intl.DisplayNames([tags[language]], { type: 'language' });
  return codes.map((code) => regional[code]?.[language] ?? names.of(code) ?? code).join(', ');
};

const formatDay = (date: string, language: Language): string =>
  new Intl.DateTimeFormat(tags[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`));

/** The hour as people of the language write it, with the clinic's zone: "09.30 WIB". */
const formatClock = (time: string, at: string, { language, zone }: Place): string => {
  // Indonesian alone has names for Indonesia's zones.
  const parts = new Intl.DateTimeFormat(tags.id, { timeZone: zone, timeZoneName: 'short' });
  const name = parts.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.slice(0, 5).replace(':', language === 'id' ? '.' : ':')} ${name}`.trim();
};

const bookAt = (doctorId: string): string => `/pasien/dokter/${doctorId}`;

const slotAt = (doctorId: string, slot: Shown['slots'][number]): string =>
  `/pasien/konfirmasi?${new URLSearchParams({ dokter: doctorId, layanan: slot.session_id, tanggal: slot.schedule_date, jam: slot.schedule_time.slice(0, 5) })}`;

const buildTitle = ({ fullName, practice, clinic }: Shown): string =>
  `${[fullName, practice].filter(Boolean).join(', ')}${clinic.name && ` – ${clinic.name}`}`;

const longestDescription = 160;

const buildDescription = ({ about, fullName, practice, clinic }: Shown, language: Language): string => {
  const named = words[language].describe([fullName, practice].filter(Boolean).join(', '), clinic.name);
  const text = about.replaceAll(/\s+/g, ' ') || named;
  const letters = [...text];
  return letters.length <= longestDescription
    ? text
    : `${letters.slice(0, longestDescription - 1).join('')}…`;
};

/** JSON for a script element: nothing in it can end that element or begin a comment. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The doctor in the words of schema.org, for search engines. */
const structured = (shown: Shown, { url, origin, language }: Place): string => {
  const { fullName, practice, photo, about, languages, education, sessions, clinic, doctorId } = shown;
  return scriptJson({
    '@context': 'https://schema.org',
    '@type': 'Physician',
    '@id': url,
    name: fullName,
    url,
    description: about || buildDescription(shown, language),
    ...(practice && { medicalSpecialty: practice }),
    ...(photo !== null && { image: `${origin}${photo}` }),
    ...(languages.length > 0 && { knowsLanguage: languages }),
    ...(education.length > 0 && {
      hasCredential: education.map((name) => ({ '@type': 'EducationalOccupationalCredential', name })),
    }),
    ...(sessions.length > 0 && {
      availableService: sessions.map(({ name }) => ({ '@type': 'MedicalTherapy', name })),
    }),
    ...(clinic.address && { address: clinic.address }),
    ...(clinic.phone && { telephone: clinic.phone }),
    ...(clinic.name && {
      parentOrganization: {
        '@type': 'MedicalClinic',
        name: clinic.name,
        ...(clinic.address && { address: clinic.address }),
        ...(clinic.phone && { telephone: clinic.phone }),
        url: `${origin}/`,
      },
    }),
    potentialAction: { '@type': 'ReserveAction', target: `${origin}${bookAt(doctorId)}` },
  });
};

const times = (shown: Shown, place: Place) =>
  shown.slots.length === 0
    ? html`<p class="soft">${words[place.language].none}</p>`
    : html`<ul class="times">${shown.slots.map(
        (slot) =>
          html`<li><a href="${slotAt(shown.doctorId, slot)}"><strong>${formatDay(slot.schedule_date, place.language)}</strong><span>${formatClock(slot.schedule_time, slot.ends_at, place)} · ${slot.session_name}</span></a></li>`,
      )}</ul>`;

/** The style and the structured data are part of the page, and its policy allows these texts alone. */
export interface Made {
  page: string;
  style: string;
  data: string | null;
}

const buildStyle = ({ clinic }: Shown): string =>
  `${style}:root{--accent:${clinic.color ?? 'var(--primary)'}}`;

const photoImage = ({ photo, fullName }: Shown, language: Language, side: number) =>
  photo === null
    ? ''
    : html`<img src="${photo}" alt="${words[language].photo(fullName)}" width="${side}" height="${side}">`;

/** The page of a doctor, for people and for search engines. */
export const pageHtml = (shown: Shown, place: Place): Made => {
  const { language, url, origin } = place;
  const say = words[language];
  const { fullName, practice, about, languages, education, sessions, photo, clinic } = shown;
  const own = { style: buildStyle(shown), data: structured(shown, place) };
  const title = buildTitle(shown);
  const description = buildDescription(shown, language);
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<meta name="description" content="${description}"><link rel="canonical" href="${url}"><link rel="icon" href="/pasien/ikon.svg">
<meta property="og:type" content="profile"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">${photo === null ? '' : html`<meta property="og:image" content="${origin}${photo}">`}
<style>${raw(own.style)}</style><script type="application/ld+json">${raw(own.data)}</script></head>
<body><header>${clinic.logo === null ? '' : html`<img src="${clinic.logo}" alt="">`}<span>${clinic.name}</span></header>
<main><div class="who">${photoImage(shown, language, 144)}<div><h1>${fullName}</h1>${
    practice && html`<p class="soft">${practice}</p>`
  }${clinic.address && html`<p class="soft">${clinic.address}</p>`}<a class="go" href="${bookAt(shown.doctorId)}">${say.book}</a></div></div>
<section aria-labelledby="waktu"><h2 id="waktu">${say.next}</h2>${times(shown, place)}</section>${
    about &&
    html`<section aria-labelledby="tentang"><h2 id="tentang">${say.about}</h2><p class="about">${about}</p></section>`
  }${
    sessions.length > 0 &&
    html`<section aria-labelledby="layanan"><h2 id="layanan">${say.sessions}</h2><ul>${sessions.map(({ name }) => html`<li>${name}</li>`)}</ul></section>`
  }${
    education.length > 0 &&
    html`<section aria-labelledby="pendidikan"><h2 id="pendidikan">${say.education}</h2><ul>${education.map((line) => html`<li>${line}</li>`)}</ul></section>`
  }${
    languages.length > 0 &&
    html`<section aria-labelledby="bahasa"><h2 id="bahasa">${say.languages}</h2><p>${formatNames(languages, language)}</p></section>`
  }</main></body></html>`;
  return { page: String(page), ...own };
};

/** The card that other web sites show in a frame; its links open the page of the clinic beside them. */
export const cardHtml = (shown: Shown, place: Place): Made => {
  const { language, url } = place;
  const say = words[language];
  const own = buildStyle(shown);
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${say.bookWith(shown.fullName)}</title>
<base target="_blank"><link rel="canonical" href="${url}"><link rel="icon" href="/pasien/ikon.svg"><style>${raw(own)}</style></head>
<body class="card"><main><div class="who">${photoImage(shown, language, 72)}<div><h1>${shown.fullName}</h1>${
    shown.practice && html`<p class="soft">${shown.practice}</p>`
  }${shown.clinic.name && html`<p class="soft">${shown.clinic.name}</p>`}</div></div>${times(shown, place)}
<a class="go" rel="noopener" href="${bookAt(shown.doctorId)}">${say.book} ${say.newTab}</a></main></body></html>`;
  return { page: String(page), style: own, data: null };
};
