// Whole weeks to choose from, as a clinic is likely to have them.

export const templates = ['morning', 'evening', 'both', 'saturday', 'none'] as const;
export type Template = (typeof templates)[number];

interface Hours {
  weekday: number;
  start_time: string;
  end_time: string;
}

const morning = ['08:00:00', '12:00:00'] as const;
const evening = ['16:00:00', '20:00:00'] as const;

/** Each day of so many from Monday on, with these hours. */
const days = (count: number, ...hours: readonly (readonly [string, string])[]): Hours[] =>
  Array.from({ length: count }, (_, at) => at + 1).flatMap((weekday) =>
    hours.map(([start_time, end_time]) => ({ weekday, start_time, end_time })),
  );

const weeks: Readonly<Record<Template, readonly Hours[]>> = {
  morning: days(5, morning),
  evening: days(5, evening),
  both: days(5, morning, evening),
  saturday: days(6, ['08:00:00', '14:00:00']),
  none: [],
};

export const weekOf = (template: Template): readonly Hours[] => weeks[template];
