import { useMemo } from 'react';
import { Table } from '@mantine/core';
import classes from './chart.module.css';

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The numbers of a chart. */
export function DataTable({ table: { head, rows }, label }: { table: ChartTable; label: string }) {
  // The hour that the clock repeats in autumn has the same words twice.
  const keyed = useMemo(() => rows.map((row, nth) => ({ key: `${nth} ${row[0]}`, row })), [rows]);
  return (
    // The rows scroll: the keyboard must get there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} tabIndex={0} aria-label={`${label} as a table`}>
      <Table stickyHeader striped>
        <Table.Thead>
          <Table.Tr>
            {head.map((word) => (
              <Table.Th key={word}>{word}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keyed.map(({ key, row }) => (
            <Table.Tr key={key}>
              {row.map((cell, index) => (
                <Table.Td key={head[index]} className="num">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
