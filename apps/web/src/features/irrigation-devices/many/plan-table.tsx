import { useState } from 'react';
import { Checkbox, NativeSelect } from '@mantine/core';
import { type SprinklerColumn, sprinklerColumns } from '@headrace/contract/rules/files/sprinkler-columns';
import type { PlannedRow } from '@headrace/contract/rules/files/sprinkler-rows';
import { wholeText } from '@headrace/contract/rules/number-text';
import { ConditionDot } from '../../../ui/condition-dot.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import type { usePastePlan } from './use-paste-plan.ts';
import classes from './many.module.css';
import panel from '../../../ui/panel.module.css';

/** So many rows are drawn; all are counted and sent. */
const SHOWN = 200;

const columnLabels: Record<SprinklerColumn, string> = {
  name: 'Name',
  serialNumber: 'Serial number',
  macAddress: 'MAC address',
  lat: 'Latitude',
  lng: 'Longitude',
  groups: 'Groups',
  gateway: 'Gateway',
  channel: 'Channel',
  farmId: 'Farm ID',
  commsMode: 'Comms mode',
  description: 'Description',
};
const columnOptions = [
  { value: '', label: 'Not taken' },
  ...sprinklerColumns.map((value) => ({ value, label: columnLabels[value] })),
];

type Plan = ReturnType<typeof usePastePlan>;
type Show = 'all' | 'faults';

/** The pasted rows as they were understood: what each column holds, to be changed, and what each row would do. */
export function PlanTable({ plan }: { plan: Plan }) {
  const [show, setShow] = useState<Show>('all');
  const { rows, columns, table, isHeaded } = plan;
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const listed = show === 'faults' && faulty.length > 0 ? faulty : rows;
  const cellsOf = new Map(table.rows.map(({ row, cells }) => [row, cells]));
  return (
    <section className={panel.panel} aria-label="What the rows would do">
      <div className={classes.tools}>
        <Checkbox
          size="md"
          label="The first row is a heading"
          checked={isHeaded}
          onChange={(event) => plan.setHeaded(event.currentTarget.checked)}
        />
        {faulty.length > 0 && (
          <Segmented
            aria-label="Rows that are shown"
            value={show}
            onChange={setShow}
            data={[
              { value: 'all', label: `All (${wholeText(rows.length)})` },
              { value: 'faults', label: `With faults (${wholeText(faulty.length)})` },
            ]}
          />
        )}
      </div>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col" className={classes.verdict}>
                What it would do
              </th>
              {columns.map((column, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
                <th key={at} scope="col">
                  <NativeSelect
                    aria-label={`Column ${at + 1}`}
                    data={columnOptions}
                    value={column ?? ''}
                    onChange={(event) =>
                      plan.setColumn(at, (event.currentTarget.value || null) as SprinklerColumn | null)
                    }
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, SHOWN).map((row) => (
              <Row key={row.row} row={row} columns={columns} cells={cellsOf.get(row.row) ?? []} />
            ))}
          </tbody>
        </table>
      </div>
      {listed.length > SHOWN && (
        <p className={classes.more}>…and {wholeText(listed.length - SHOWN)} more rows.</p>
      )}
    </section>
  );
}

interface RowProps {
  row: PlannedRow;
  columns: Plan['columns'];
  cells: readonly string[];
}

function Row({ row, columns, cells }: RowProps) {
  const { faults, notes, entry } = row;
  const isAt = (column: SprinklerColumn | null) => faults.some((fault) => fault.column === column);
  const found = !cells[columns.indexOf('macAddress')] && entry.macAddress;
  return (
    <tr>
      <td className="num">{row.row}</td>
      <td className={classes.verdict}>
        {faults.length > 0 ? (
          faults.map(({ column, text }) => (
            <p key={column}>
              <ConditionDot condition="issue" label={null} />
              {columnLabels[column]}: {text}
            </p>
          ))
        ) : (
          <p>
            <ConditionDot condition={notes.length > 0 ? 'caution' : 'ok'} label={null} />
            Adds {entry.name}
            {found && `, MAC ${entry.macAddress}`}. {notes.join(' ')}
          </p>
        )}
      </td>
      {columns.map((column, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
        <Cell key={at} text={cells[at]} isLeft={column === null} isFaulty={isAt(column)} />
      ))}
    </tr>
  );
}

const Cell = ({
  text = '',
  isLeft,
  isFaulty,
}: {
  text?: string | undefined;
  isLeft: boolean;
  isFaulty: boolean;
}) => (
  <td data-fault={isFaulty || undefined} data-left={isLeft || undefined}>
    {text}
  </td>
);
