import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type RadioFigures, radioFigures } from '@headrace/contract/rules/radio-health';
import type { RadioHealth } from '@headrace/contract/radio-health';
import { dayText, numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { radioQuery } from './radio.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './radio-panel.module.css';

/** How a gateway's units answered over the last year: what gets worse month by month is seen before units fall silent. */
export function RadioPanel({ gateway }: { gateway: string }) {
  const query = useQuery(radioQuery(gateway));
  return (
    <Panel title="Radio">
      <StateView
        query={query}
        failed="How its radio fared couldn't be loaded"
        skeleton={<Skeleton blockPx={180} />}
        isEmpty={({ days }) => days.length === 0}
        empty={
          <Empty title="Nothing is known of its radio yet">
            Days are counted once its units are asked for something, and the hops at the end of each day.
          </Empty>
        }
      >
        {(health) => <Figures health={health} />}
      </StateView>
    </Panel>
  );
}

type By = 'month' | 'day';
const DAYS_SHOWN = 31;

function Figures({ health }: { health: RadioHealth }) {
  const [by, setBy] = useState<By>('month');
  const rows = radioFigures(health.days, by).slice(0, by === 'day' ? DAYS_SHOWN : undefined);
  return (
    <>
      <Segmented<By>
        aria-label="Put together by"
        value={by}
        onChange={setBy}
        data={[
          { value: 'month', label: 'Months' },
          { value: 'day', label: 'Days' },
        ]}
      />
      {/* Wider than a phone: scrolled by keyboard, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} tabIndex={0} role="group" aria-label="Radio by time">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{by === 'month' ? 'Month' : 'Day'}</th>
              <th scope="col">Asked</th>
              <th scope="col">Answered</th>
              <th scope="col">Tries each</th>
              <th scope="col">Seconds each</th>
              <th scope="col">Hops</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.name} row={row} by={by} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>
        Asked: units that were sent something and had an end. Seconds each: between answers while others
        waited. Hops: the mean of the units in service at the end of the days. “–” is not known.
      </p>
    </>
  );
}

function Row({ row, by }: { row: RadioFigures; by: By }) {
  const { name, asked, answered, tries, seconds, hops } = row;
  return (
    <tr>
      <th scope="row">{by === 'day' ? dayText(name) : monthText(name)}</th>
      <td>{numberText(asked)}</td>
      <td>{text(answered, 1, ' %')}</td>
      <td>{text(tries, 2)}</td>
      <td>{text(seconds, 1)}</td>
      <td>{text(hops, 1)}</td>
    </tr>
  );
}

const text = (value: number | null, digits: number, unit = '') =>
  value === null ? '–' : `${numberText(value, digits)}${unit}`;

const monthText = (month: string) =>
  new Date(`${month}-15T12:00:00Z`).toLocaleDateString(undefined, {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
