import { Refused, Unreached } from '../../shared/api/take.ts';
import { authorized } from '../../shared/api/token.ts';
import { language } from '../../shared/preferences.ts';

/** What the service answers in another form than JSON. */
export const asked = async (path: string, type: string): Promise<string> => {
  const response = await authorized((headers) =>
    fetch(path, { headers: { ...headers, Accept: type, 'Accept-Language': language.peek() } }),
  ).catch((cause: unknown) => {
    throw new Unreached('The service cannot be reached.', { cause });
  });
  if (response.ok) return response.text();
  const body = await response.json().catch((cause: unknown) => {
    throw new Unreached('The answer is not JSON.', { cause });
  });
  throw new Refused(body, response.status, Number(response.headers.get('Retry-After')) || null);
};

/** Gives a table to keep. Spreadsheets take it for UTF-8 by the mark before it. */
export const saveFile = (name: string, table: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', table], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
