import { expect, it } from 'vitest';
import { readSchedules } from './read-schedules.ts';

const head = 'set;group;schedule_group;serial_number;name;cycle;start;duration';
const read = (...rows: string[]) => readSchedules([head, ...rows].join('\r\n'));

it('a set has a turn for each sprinkler of a line, with its waterings in order', () => {
  expect(
    read(
      'Summer;North;North/2;IPC1;A1;2;05:30;30',
      'Summer;North;North/2;ipc1;A1;1;330;20',
      'Winter;North;;IPC1;A1;;22:00;15',
    ),
  ).toEqual({
    fault: null,
    sets: [
      {
        line: 2,
        name: 'Summer',
        cycleLen: 2880,
        faults: [],
        turns: [
          {
            line: 2,
            serialNumber: 'IPC1',
            name: 'A1',
            group: 'North',
            scheduleGroup: 'North/2',
            // 330 = 5:30; on day 2 it is 1,440 more.
            schedules: [
              { start: 330, duration: 20, cycle: 1 },
              { start: 1770, duration: 30, cycle: 2 },
            ],
          },
        ],
      },
      expect.objectContaining({ name: 'Winter', cycleLen: 1440, line: 4 }),
    ],
  });
});

it.each([
  [
    'Summer;N;;IPC1;A1;1;1500;30',
    'Row 2, column start: minute 1500 lies on day 2 of the cycle, not on day 1. Correct one of them.',
  ],
  ['Summer;N;;IPC1;A1;3;330;30', "Row 2, column start: the cycle '3' isn't a whole number from 1 to 2."],
  ['Summer;N;;IPC1;A1;1;25:00;30', "Row 2, column start: '25:00' isn't a time of the day, such as 05:30."],
  ['Summer;N;;IPC1;A1;1;2880;30', "Row 2, column start: '2880' isn't a whole number from 0 to 2,879."],
  ['Summer;N;;IPC1;A1;1;330;0', "Row 2, column duration: '0' isn't a whole number from 1 to 1,440."],
  [
    'Summer;N;;;A1;1;330;30',
    'Row 2, column serial_number: it is empty. Add the serial number of the sprinkler.',
  ],
  [';N;;IPC1;A1;1;330;30', 'Row 2, column set: it is empty. Give the set a name.'],
  [
    Array.from({ length: 25 }, (_none, n) => `S;N;;IPC1;A1;1;${n * 10};5`).join('\n'),
    "Row 26, column start: 'IPC1' has more than 24 waterings. Take some of them out.",
  ],
])('%.40s… is a fault of its set: %s', (rows, fault) => {
  expect(readSchedules(`${head}\n${rows}`).sets[0]?.faults).toEqual([fault]);
});

it('a file without the columns, or without waterings, is refused', () => {
  expect(readSchedules('set;group\nA;B').fault).toBe(
    'The first row must name the columns. Not there: serial_number, start, duration.',
  );
  expect(readSchedules(head).fault).toBe('The file has no waterings.');
});

it('files of several sets that were put together are one; a column that stands twice is refused', () => {
  const row = (set: string) => `set;group;serial_number;start;duration\n${set};N;IPC1;330;30\n`;
  expect(readSchedules(row('Summer') + row('Spring')).sets.map(({ name, faults }) => [name, faults])).toEqual(
    [
      ['Summer', []],
      ['Spring', []],
    ],
  );
  expect(readSchedules('set;group;serial_number;start;start;duration\n').fault).toBe(
    'The column start stands twice. Please take one out.',
  );
});

it('a set in another spelling is the same set: the farm tells upper and lower case no more apart', () => {
  const rows = ['North;N;IPC1;60;5', 'north;N;IPC2;60;5', 'NORTH;N;IPC3;60;5'];
  const { sets } = readSchedules(['set;group;serial_number;start;duration', ...rows].join('\n'));
  expect(sets.map(({ name, turns }) => [name, turns.map(({ serialNumber }) => serialNumber)])).toEqual([
    ['North', ['IPC1', 'IPC2', 'IPC3']],
  ]);
});

it('5,000 sprinklers with 24 waterings each are read, and not more than 250,000 waterings', () => {
  const row = (n: number) => `Summer;N;IPC${Math.floor(n / 24)};${(n % 24) * 60};5`;
  const fileOf = (rows: readonly string[]) => ['set;group;serial_number;start;duration', ...rows].join('\n');
  const { sets, fault } = readSchedules(fileOf(Array.from({ length: 120_000 }, (_none, n) => row(n))));
  expect([fault, sets.map(({ turns, faults }) => [turns.length, faults])]).toEqual([null, [[5000, []]]]);
  expect(readSchedules(fileOf(Array.from({ length: 250_001 }, () => 'S;N;I;1;5'))).fault).toBe(
    'These are 250,002 rows. The most is 250,000.',
  );
});

it('a file of more than 50 sets is refused whole', () => {
  const fileOf = (sets: number) =>
    [
      'set;group;serial_number;start;duration',
      ...Array.from({ length: sets }, (_none, index) => `Set ${index};N;IPC1;60;5`),
    ].join('\n');
  expect(readSchedules(fileOf(50)).sets).toHaveLength(50);
  expect(readSchedules(fileOf(51))).toEqual({
    sets: [],
    fault: 'The file has more than 50 schedule sets. A farm has 50 at most: please divide it.',
  });
});
