import { signal } from '@preact/signals';
import { keep, kept } from '../preferences.ts';

/** The widths of the rolls that printers of slips take, in millimetres. */
export const widths = [58, 80] as const;
export type Width = (typeof widths)[number];

const widthKey = 'karcis';
const nameKey = 'karcis-nama';

/** The paper of the printer at this device; null where there is none, and no page offers a slip then. */
export const paper = signal<Width | null>(widths.find((width) => String(width) === kept(widthKey)) ?? null);

/** Whether the slip has the patient's name: a slip is left lying about. */
export const withName = signal(kept(nameKey) === 'ya');

export const setPaper = (chosen: Width | null): void => {
  paper.value = chosen;
  keep(widthKey, chosen === null ? null : String(chosen));
};

export const setWithName = (is: boolean): void => {
  withName.value = is;
  keep(nameKey, is ? 'ya' : null);
};
