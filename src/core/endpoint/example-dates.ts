// The document is made before it is served: its examples name their dates by their distance from today.

/** A date that is a number of days after the day on which an example is read. */
export const exampleDay = (days: number): string => `{today${days < 0 ? '' : '+'}${days}}`;

const dayMs = 86_400_000;

/** Puts real dates into a text with such examples. */
export const resolveExampleDates = (text: string, today: string): string =>
  text.replaceAll(/\{today([+-]\d+)\}/g, (_, days: string) =>
    new Date(Date.parse(today) + Number(days) * dayMs).toISOString().slice(0, 10),
  );
