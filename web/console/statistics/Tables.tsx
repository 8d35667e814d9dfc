import { type Column, Table } from '../ui/Table.tsx';
import { setup } from '../words/settings.ts';
import { mostMinutes, mostSeats, Share, Spread } from './Bars.tsx';
import { keyed, type RowOf, rowName } from './rows.ts';

type Key = keyof ReturnType<typeof namesOf>;
const namesOf = () => setup.value.statistics.bys;

const number = (name: string, cell: (row: RowOf) => number): Column<RowOf> => ({
  name,
  cell,
  look: 'number',
});

const canceled = (row: RowOf): number =>
  row.canceled_by_patient + row.canceled_by_clinic + row.canceled_by_system;

const listColumns = (by: Key, rows: readonly RowOf[], isBrief: boolean): Column<RowOf>[] => {
  const { columns: text, bys } = setup.value.statistics;
  const most = mostSeats(rows);
  const [waiting, visit] = [mostMinutes(rows, 'waiting'), mostMinutes(rows, 'visit')];
  return [
    { name: bys[by], isHead: true, cell: rowName },
    {
      name: text.booked,
      cell: (row) => <Share part={row.booked_seats} whole={row.offered_seats} most={most} />,
    },
    ...(isBrief ? [] : [number(text.completed, (row) => row.completed)]),
    number(text.noShows, (row) => row.no_shows),
    ...(isBrief ? [] : [number(text.canceled, canceled)]),
    { name: text.waiting, cell: (row) => <Spread row={row} measure="waiting" most={waiting} /> },
    ...(isBrief
      ? []
      : [
          {
            name: text.visit,
            cell: (row: RowOf) => <Spread row={row} measure="visit" most={visit} />,
          },
        ]),
  ];
};

interface Props {
  by: Key;
  rows: readonly RowOf[];
  /** With the columns that fit beside another table. */
  isBrief?: boolean;
}

/** What was used, done and missed, a row for each group. */
export const Groups = ({ by, rows, isBrief = false }: Props) => (
  <Table
    caption={setup.value.statistics.caption(namesOf()[by])}
    isCaptionShown
    rows={keyed(rows)}
    columns={listColumns(by, rows, isBrief)}
  />
);

/** How many did not come, by how long before they had booked. */
export const Leads = ({ rows }: { rows: readonly RowOf[] }) => {
  const { columns: text, bys, leadCaption } = setup.value.statistics;
  const ended = (row: RowOf) => row.no_shows + row.completed;
  return (
    <Table
      caption={leadCaption}
      isCaptionShown
      rows={keyed(rows)}
      columns={[
        { name: bys.lead, isHead: true, cell: rowName },
        {
          name: text.noShows,
          cell: (row) => <Share part={row.no_shows} whole={ended(row)} most={ended(row)} />,
        },
        number(text.made, (row) => row.created),
        number(text.canceled, canceled),
      ]}
    />
  );
};
