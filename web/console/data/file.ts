import { Refused, Unreached } from '../../shared/api/take.ts';
import { authorized } from '../../shared/api/token.ts';
import { language } from '../../shared/preferences.ts';

/** An answer of the service in another form than JSON. */
const answered = async (path: string, type: string): Promise<Response> => {
  const response = await authorized((headers) =>
    fetch(path, { headers: { ...headers, Accept: type, 'Accept-Language': language.peek() } }),
  ).catch((cause: unknown) => {
    throw new Unreached('The service cannot be reached.', { cause });
  });
  if (response.ok) return response;
  const body = await response.json().catch((cause: unknown) => {
    throw new Unreached('The answer is not JSON.', { cause });
  });
  throw new Refused(body, response.status, Number(response.headers.get('Retry-After')) || null);
};

/** An answer of the service in another format than JSON, as text. */
export const asked = async (path: string, type: string): Promise<string> =>
  (await answered(path, type)).text();

/** The same for a table that arrives in pages, each with a header line. */
export const askedWhole = async (path: string, type: string): Promise<string> => {
  let table = '';
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Response = await answered(next, type);
    const text = await page.text();
    table += table === '' ? text : text.slice(text.indexOf('\n') + 1);
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
  }
  return table;
};

const save = (name: string, content: Blob): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Gives a table to keep. Spreadsheets take it for UTF-8 by the mark before it. */
export const saveFile = (name: string, table: string): void =>
  save(name, new Blob(['\ufeff', table], { type: 'text/csv' }));

/** Saves an answer of the service as a file, unchanged. */
export const download = async (path: string, name: string): Promise<void> =>
  save(name, await (await answered(path, '*/*')).blob());
