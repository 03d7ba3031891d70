import { expect, it } from 'vitest';
import { readFile } from './read-file.mjs';

const farm = { lat: -43.75, lng: 171.95 };
const read = (data: string) => readFile({ data, farm });

it('an RXP site has its pods in attributes, or in elements of their own', async () => {
  const outcome = await read(`<?xml version="1.0"?>
<!-- exported -->
<site>
  <pod name="A1" serial="IPC1" mac="0004A3000001" lat="-43.7" lng="171.9" group="North" colour="red"/>
  <pod><name>A2</name><serial>IPC2</serial><height>3</height></pod>
</site>`);
  expect(outcome).toMatchObject({
    content: {
      units: [
        {
          line: 4,
          kind: 'sprinkler',
          name: 'A1',
          serialNumber: 'IPC1',
          macAddress: '0004A3000001',
          lat: -43.7,
          lng: 171.9,
          groups: 'North',
          faults: [],
        },
        { line: 5, kind: 'sprinkler', name: 'A2', serialNumber: 'IPC2', faults: [] },
      ],
      notes: ['Not known and left out: colour (1), height (1).'],
    },
  });
});

it.each([
  ['<site/>', 'The site has no <pod>: it lists no sprinklers.'],
  [`<site>${'<pod name="A"/>'.repeat(5001)}</site>`, 'The file lists 5,001 sprinklers. The most is 5,000.'],
  [
    '<site>\n<pod name="A1"><name>A2</name></pod></site>',
    'Line 2: the <pod> says its name twice. Please take one out.',
  ],
  [
    '<site><pod Serial="IPC1" serial="IPC2"/></site>',
    'Line 1: the <pod> says its serial twice. Please take one out.',
  ],
  [
    '<site><pod name="A1">\n<inner><pod name="A2"/></inner></pod></site>',
    'Line 2: a <pod> stands within the <pod> of line 1.',
  ],
  ['{"version":2,"ipcs":[]}', 'The file is of version 2: it was made by a later Headrace.'],
  [
    '{"version":1,"ipcs":[]}',
    'The file has no sprinklers, no repeaters, no places, no boundary and no schedules.',
  ],
])('%.40s is refused: %s', async (data, fault) => {
  expect(await read(data)).toEqual({ kind: 'fault', fault });
});
