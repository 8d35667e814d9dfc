import { useAttempt } from '../../shared/api/attempt.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { askedWhole, saveFile } from '../data/file.ts';
import look from '../ui/page.module.css';
import { Table } from '../ui/Table.tsx';
import { importing } from '../words/import.ts';
import type { Import, RowResult } from './run.ts';

/** How many problems are shown; the table of results has all. */
const maxShown = 100;

const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'refused'] as const;

/** The outcomes of the rows, done or previewed, and the faults of each. */
export const Results = ({ of, refused }: { of: Import; refused: readonly RowResult[] }) => {
  const text = importing.value;
  const saving = useAttempt(async () => {
    const table = await askedWhole(`/v1/admin/imports/${of.id}/results`, 'text/csv');
    saveFile(`impor-${of.id.slice(0, 8)}.csv`, table);
  });
  const problems = refused.flatMap(({ row, problems: of }) =>
    of.map((one, nth) => ({ id: `${row}-${nth}`, row, ...one })),
  );
  const nameOf = (field: string): string => (text.fields as Readonly<Record<string, string>>)[field] ?? field;
  const columns = text.problemColumns;
  const chooseSentence = (outcome: (typeof outcomes)[number]) =>
    of.kind === 'visits' && (outcome === 'created' || outcome === 'skipped')
      ? text.visitOutcomes[outcome]
      : text.outcomes[outcome];
  return (
    <>
      <ul class={look.list}>
        {outcomes
          .filter((outcome) => of[outcome] > 0)
          .map((outcome) => (
            <li key={outcome} class={look.strong}>
              {chooseSentence(outcome)(of[outcome])}
            </li>
          ))}
      </ul>
      {problems.length > 0 && (
        <Table
          caption={text.problems}
          isCaptionShown
          rows={problems.slice(0, maxShown)}
          columns={[
            { name: columns.row, isHead: true, cell: ({ row }) => String(row) },
            { name: columns.field, cell: ({ field }) => nameOf(field) },
            { name: columns.problem, cell: ({ message }) => message },
          ]}
        />
      )}
      {problems.length > maxShown && <p class={look.soft}>{text.more(problems.length - maxShown)}</p>}
      <FormFailure failure={saving.failure.value} />
      <div class={look.line}>
        <Button small busy={saving.busy.value} onClick={() => void saving.run()}>
          {text.download}
        </Button>
      </div>
    </>
  );
};
