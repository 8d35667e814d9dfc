import type { ComponentChildren } from 'preact';
import { inDigits } from '../../shared/number.ts';
import look from './page.module.css';

export interface Column<T> {
  name: string;
  cell: (one: T) => ComponentChildren;
  /** By this the row is named. */
  isHead?: boolean;
  look?: 'number' | 'brief' | 'words' | 'soft' | 'actions';
}

interface Props<T extends { id: string }> {
  caption: string;
  isCaptionShown?: boolean;
  rows: readonly T[];
  columns: readonly Column<T>[];
}

const shown = (value: ComponentChildren): ComponentChildren =>
  typeof value === 'number' ? inDigits(value) : value;

/** A table; on a narrow screen each row becomes a card that labels each value. */
export const Table = <T extends { id: string }>({ caption, isCaptionShown, rows, columns }: Props<T>) => (
  <table class={look.table}>
    <caption class={isCaptionShown ? undefined : 'aloud'}>{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ name, look: own }) => (
          <th key={name} scope="col" class={own && look[own]}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((one) => (
        <tr key={one.id}>
          {columns.map(({ name, cell, isHead, look: own }) =>
            isHead ? (
              <th key={name} scope="row" class={own && look[own]}>
                {shown(cell(one))}
              </th>
            ) : (
              <td key={name} class={own && look[own]} data-name={name}>
                {shown(cell(one))}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
);
