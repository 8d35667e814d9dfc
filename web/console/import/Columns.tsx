import type { FileForm } from '../../../src/modules/patients/import/reader.ts';
import { Select } from '../../shared/ui/Field.tsx';
import look from '../ui/page.module.css';
import { Table } from '../ui/Table.tsx';
import { importing } from '../words/import.ts';
import style from './Import.module.css';
import type { AnyField } from './run.ts';

interface Props {
  form: FileForm;
  /** The fields that a column may hold. */
  fields: readonly AnyField[];
  columns: readonly (AnyField | null)[];
  onColumns: (columns: (AnyField | null)[]) => void;
}

/** The columns of a file with what they hold, and the field of each, which can be corrected. */
export const Columns = ({ form, fields, columns, onColumns }: Props) => {
  const text = importing.value;
  const choose = (at: number, chosen: string): void => {
    const field = fields.find((one) => one === chosen) ?? null;
    // A field has one column: the one that had it before is left out.
    onColumns(columns.map((own, nth) => (nth === at ? field : own === field ? null : own)));
  };
  const examples = (at: number): string =>
    form.sample
      .map((cells) => cells[at]?.trim() ?? '')
      .filter((cell) => cell !== '')
      .slice(0, 2)
      .join(' · ');
  return (
    <section class={look.card}>
      <h2>{text.columns}</h2>
      <p class={look.soft}>{text.columnsText}</p>
      <Table
        caption={text.columns}
        rows={form.header.map((name, at) => ({ id: String(at), name, at }))}
        columns={[
          { name: text.column, isHead: true, cell: ({ name, at }) => name || `#${at + 1}` },
          { name: text.example, look: 'soft', cell: ({ at }) => examples(at) || '–' },
          {
            name: text.field,
            cell: ({ name, at }) => (
              <span class={style.choice}>
                <Select
                  label={text.fieldOf(name || `#${at + 1}`)}
                  value={columns[at] ?? ''}
                  onChange={(event) => choose(at, event.currentTarget.value)}
                >
                  <option value="">{text.leftOut}</option>
                  {fields.map((field) => (
                    <option key={field} value={field}>
                      {text.fields[field]}
                    </option>
                  ))}
                </Select>
              </span>
            ),
          },
        ]}
      />
    </section>
  );
};
