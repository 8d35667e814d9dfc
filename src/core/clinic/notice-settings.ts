import * as z from 'zod/mini';

/** How long before a visit a reminder may leave at most. */
export const maxReminderHours = 168;

/** An address of a page, without a fragment. */
export const isPage = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !text.includes('#');

const ownNetwork = /^([\w-]+|(127|10)\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+)$/;

/** Within the own network a gateway may speak http; through the internet its key would be read. */
export const isGateway = (text: string): boolean =>
  isPage(text) && (text.startsWith('https:') || ownNetwork.test(new URL(text).hostname));

/** Two hours of the clinic's day, from the first until the second; null for none. */
export const quietHours = () =>
  z.pipe(
    z.string().check(z.regex(/^(off|([01]?\d|2[0-3])-([01]?\d|2[0-3]))$/)),
    z.transform((text: string) => {
      const [from = 0, until = 0] = text.split('-').map(Number);
      return text === 'off' || from === until ? null : { from, until };
    }),
  );
