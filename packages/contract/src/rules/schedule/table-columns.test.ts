import { expect, it } from 'vitest';
import type { SetUnit } from '../../schedules.ts';
import { cycleText } from './cycle-text.ts';
import { entryText, gapText, type TableCell, tableColumns } from './table-columns.ts';

const unit = (name: string, scheduleGroup: string, ...schedules: [number, number, number][]): SetUnit => ({
  name,
  serialNumber: `SN-${name}`,
  group: scheduleGroup.split('/')[0] ?? '',
  scheduleGroup,
  schedules: schedules.map(([start, duration, cycle]) => ({ start, duration, cycle })),
});
const text = (cell: TableCell): string => {
  if (cell.kind === 'day') return `Cycle ${cell.day}`;
  return cell.kind === 'gap' ? gapText(cell.minutes) : entryText(cell.start, cell.name, cell.minutes);
};
const texts = (units: SetUnit[], cycleLen: number) =>
  tableColumns(units, cycleLen).map(({ name, sprinklers, cells }) => [name, sprinklers, ...cells.map(text)]);

it('a line has its waterings in order of time, with the gaps between them', () => {
  const units = [
    unit('A2', 'North/10', [28, 28, 1]),
    unit('A1', 'North/10', [0, 28, 1]),
    unit('B1', 'North/2', [1400, 60, 1]),
  ];
  expect(texts(units, 1440)).toEqual([
    // The last 20 min of B1 are those from midnight on.
    ['North/2', 1, 'Cycle 1', 'GAP [1380 mins]', '23:20 B1 [60 mins]'],
    ['North/10', 2, 'Cycle 1', '00:00 A1 [28 mins]', '00:28 A2 [28 mins]', 'GAP [1384 mins]'],
  ]);
});

it('the second day of a cycle has its own times of day', () => {
  expect(texts([unit('A1', 'North', [0, 1440, 1]), unit('A2', 'North', [1500, 30, 2])], 2880)).toEqual([
    [
      'North',
      2,
      'Cycle 1',
      '00:00 A1 [1440 mins]',
      'Cycle 2',
      'GAP [60 mins]',
      '01:00 A2 [30 mins]',
      'GAP [1350 mins]',
    ],
  ]);
});

it('several rounds a day are shown over the day', () => {
  expect(texts([unit('A1', 'North', [0, 20, 1], [720, 20, 1])], 720)).toEqual([
    ['North', 1, 'Cycle 1', '00:00 A1 [20 mins]', 'GAP [700 mins]', '12:00 A1 [20 mins]', 'GAP [700 mins]'],
  ]);
});

it.each([
  [480, '480 mins'],
  [1440, '1 day'],
  [2880, '2 days'],
])('a cycle of %i min is %s', (minutes, label) => expect(cycleText(minutes)).toBe(label));
