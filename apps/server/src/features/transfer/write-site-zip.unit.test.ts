import { expect, it } from 'vitest';
import { fileNames, setCsv } from './write-site-zip.ts';

it.each([
  [
    ['North / upper', 'North \\ upper'],
    ['North - upper.csv', 'North - upper (2).csv'],
  ],
  [
    ['summer', 'Summer', 'Summer (2)'],
    ['summer.csv', 'Summer (2).csv', 'Summer (2) (2).csv'],
  ],
  [['../../etc/passwd'], ['..-..-etc-passwd.csv']],
  [['Dry...'], ['Dry.csv']],
  [
    ['…', '???'],
    ['….csv', '-.csv'],
  ],
  [['Wāhi\u202E tuatahi'], ['Wāhi- tuatahi.csv']],
  [['x'.repeat(100)], [`${'x'.repeat(60)}.csv`]],
])('%j are saved as %j', (names, files) => {
  expect(fileNames(names)).toEqual(files);
});

it('has a row for each watering, with minutes over the whole cycle', async () => {
  const set = {
    _id: '0'.repeat(24),
    name: '=Summer',
    groups: [],
    settings: { cycleLen: 2880 },
    schedules: [
      {
        name: 'A2',
        serialNumber: 'IPC2',
        group: 'North',
        scheduleGroup: 'North/2',
        schedules: [
          { start: 60, duration: 28, cycle: 1 },
          { start: 1500, duration: 30, cycle: 2 },
        ],
      },
    ],
  };
  expect(await setCsv(set)).toBe(
    '\uFEFFset,group,schedule_group,serial_number,name,cycle,start,duration,cycle_len\r\n' +
      `"'=Summer",North,North/2,IPC2,A2,1,60,28,2880\r\n` +
      `"'=Summer",North,North/2,IPC2,A2,2,1500,30,2880\r\n`,
  );
});
