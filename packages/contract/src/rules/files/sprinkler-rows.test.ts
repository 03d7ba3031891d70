import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTable } from './read-table.ts';
import { guessColumns, hasHeadings } from './sprinkler-columns.ts';
import { planRows, readDegrees, withChecked } from './sprinkler-rows.ts';

const farm = {
  groups: [
    { id: 'g1', name: 'North' },
    { id: 'g2', name: 'Line 3' },
  ],
  gateways: [{ id: 'i1', name: 'Shed' }],
  names: ['A1'],
};
function plan(text: string) {
  const table = readTable(text);
  const isHeaded = hasHeadings(table);
  return planRows(table, guessColumns(table, isHeaded), isHeaded, farm);
}
const columnsOf = (text: string) => {
  const table = readTable(text);
  return guessColumns(table, hasHeadings(table));
};

describe('a table is read', () => {
  test.each([
    [
      'copied from a spreadsheet',
      'A1\tIPC1\nA2\tIPC2',
      [
        ['A1', 'IPC1'],
        ['A2', 'IPC2'],
      ],
    ],
    [
      'with semicolons and decimal commas',
      'A1;-43,75\r\nA2;-43,76\r\n',
      [
        ['A1', '-43,75'],
        ['A2', '-43,76'],
      ],
    ],
    [
      'with headings apart by commas and semicolons, and cells by either',
      'Name,Serial;MAC\nA1,IPC1,"x, y"\nA2;IPC2;z',
      [
        ['Name', 'Serial', 'MAC'],
        ['A1', 'IPC1', 'x, y'],
        ['A2', 'IPC2', 'z'],
      ],
    ],
    [
      'with a comma in a heading and decimal commas below',
      'Name;Lat, deg;Note\nA1;-43,75;',
      [
        ['Name', 'Lat, deg', 'Note'],
        ['A1', '-43,75', ''],
      ],
    ],
    ['of one row with a decimal comma', 'A1;-43,75', [['A1', '-43,75']]],
    ['with commas and quoted cells', '"A1","North, upper"', [['A1', 'North, upper']]],
    ['with a quote within', 'A1\t"3"" hose"', [['A1', '3" hose']]],
    ['with a byte order mark and sep=', '\uFEFFsep=;\nA1;2', [['A1', '2']]],
    ['with a line end in a quoted cell', '"A1\nupper";2', [['A1\nupper', '2']]],
    [
      'with old line ends',
      'A1,2\rA2,3',
      [
        ['A1', '2'],
        ['A2', '3'],
      ],
    ],
  ])('%s', (_name, text, cells) => {
    expect(readTable(text).rows.map((row) => row.cells)).toEqual(cells);
  });

  test('with the numbers of the spreadsheet: empty rows count and are passed over', () => {
    expect(readTable('A1\tx\n\t\n\nA2\ty').rows.map(({ row }) => row)).toEqual([1, 4]);
    expect(readTable('sep=;\nA1;x').rows.map(({ row }) => row)).toEqual([2]);
  });

  test('or not, with the reason', () => {
    expect(readTable('A1,"x\nA2,y').fault).toBe('Row 1: a quotation mark is opened and not closed.');
    expect(readTable('A1,"a\r\nb"\r\nA2,"x"y').fault).toBe(
      'Row 2: a quotation mark is opened and not closed.',
    );
    expect(readTable('A1,"x"" y" ,z\rA2,6" pipe').rows.map(({ cells }) => cells)).toEqual([
      ['A1', 'x" y', 'z'],
      ['A2', '6" pipe'],
    ]);
    expect(readTable('A1,x\n'.repeat(5002)).fault).toBe('These are 5,002 rows. The most is 5,000.');
    expect(readTable('a\n'.repeat(300_000)).fault).toBe('These are 300,000 rows. The most is 5,000.');
    expect(readTable('a,'.repeat(41)).fault).toBe('A row has 42 cells. The most is 40.');
    expect(readTable('x'.repeat(2_000_001)).fault).toBe('This is too much text: the most is 2 MB.');
    expect(readTable('name\n' + 'A1\n'.repeat(5000)).fault).toBeNull();
  });

  test('whatever it is, without breaking', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        for (const { cells } of readTable(text).rows) expect(cells.some((cell) => cell !== '')).toBe(true);
        expect(Array.isArray(plan(text))).toBe(true);
      }),
    );
  });

  test('with thousands of marks in one cell is refused as fast as any', () => {
    // Of the processor's time: what else a busy machine does is none of it.
    const begun = process.cpuUsage();
    expect(readTable(`name;serial\n"${'x"'.repeat(16_000)}${' '.repeat(30_000)};`).fault).toBe(
      'Row 2: a quotation mark is opened and not closed.',
    );
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(500);
  });
  test('as it was written', () => {
    const cell = fc.stringMatching(/^[A-Za-z0-9 "';,.-]{0,8}$/).map((text) => text.trim());
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
        fc.pre(rows.every((row) => row.some(Boolean)));
        const quoted = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join('\t'))
          .join('\r\n');
        expect(readTable(quoted).rows.map(({ cells }) => cells)).toEqual(rows);
      }),
    );
  });
});

describe('what the columns hold is guessed', () => {
  test.each([
    [
      'Name\tSerial No.\tMAC\tLat\tLong\tGroup\tGateway',
      ['name', 'serialNumber', 'macAddress', 'lat', 'lng', 'groups', 'gateway'],
    ],
    [
      'name;serial_number;mac_address;farm_id;channel;group;latitude;longitude\nA1;1;2;3;4;5;6;7',
      ['name', 'serialNumber', 'macAddress', 'farmId', 'channel', 'groups', 'lat', 'lng'],
    ],
    ['Pod,Comms mode,Notes\nA1,Local,x', ['name', 'commsMode', 'description']],
    ['Name\tColour\tSerial\nA1\tred\tIPC10001', ['name', null, 'serialNumber']],
    [
      'A1\tIPC10001\t00:15:8D:00:00:90:00:01\t-43.6301\t171.6502\t01:01\tMesh',
      ['name', 'serialNumber', 'macAddress', 'lat', 'lng', 'farmId', 'commsMode'],
    ],
    ['171,6502;-43,6301;A1;10001', ['lng', 'lat', 'name', 'serialNumber']],
    ['A1\t100 %', ['name', null]],
  ])('%j', (text, columns) => {
    expect(columnsOf(text)).toEqual(columns);
  });
});

describe('a row', () => {
  const head = 'name;serial;mac;lat;lng;group;gateway;channel;farm id;comms\n';
  const one = (row: string) => plan(head + row)[0];
  const mac = '00:15:8D:00:00:90:00:01';

  test('says what it would add', () => {
    expect(one(`A2;IPC2;${mac};-43,63;171.65;north|LINE 3;shed;16;02:03;hybrid`)).toEqual({
      row: 2,
      entry: {
        name: 'A2',
        serialNumber: 'IPC2',
        macAddress: mac,
        lat: -43.63,
        lng: 171.65,
        groups: ['g1', 'g2'],
        gatewayUID: 'i1',
        channel: 16,
        farmId: '02:03',
        commsMode: 2,
      },
      faults: [],
      notes: [],
    });
  });

  test.each([
    [';IPC2;;;;;;;;', 'name', 'Name is required.'],
    ['Trough4;IPC2;;;;;;;;', 'name', 'Name can have at most 5 characters.'],
    ['A2;;;;;;;;;', 'serialNumber', 'Serial number is required.'],
    ['A2;IPC2;12345;;;;;;;', 'macAddress', 'MAC address must be 12 or 16 hex digits.'],
    [
      'A2;1.23E+11;;;;;;;;',
      'serialNumber',
      "'1.23E+11' is what the spreadsheet made of a long number. Format the column as text and copy again.",
    ],
    ['A2;IPC2;;-43.6;;;;;;', 'lng', 'Longitude is required.'],
    ['A2;IPC2;;north;171;;;;;', 'lat', "'north' isn't a number of degrees, like -43.75."],
    [
      'A2;IPC2;;171.65;-43.6;;;;;',
      'lat',
      'Latitude and longitude are the wrong way round: swap the columns.',
    ],
    ['A2;IPC2;;;;West;;;;', 'groups', 'The farm has no group West.'],
    ['A2;IPC2;;;;;House;;;', 'gateway', 'The farm has no gateway House.'],
    ['A2;IPC2;;;;;;12;;', 'channel', 'Channel must be 1 to 9 or 16 to 25.'],
    ['A2;IPC2;;;;;;1.5;;', 'channel', "'1.5' isn't a whole number."],
    ['A2;IPC2;;;;;;;0101;', 'farmId', 'Farm ID must look like 01:01.'],
    ['A2;IPC2;;;;;;;;LoRa', 'commsMode', "'LoRa' isn't Mesh, Local or Hybrid."],
  ])('%j says at %s: %s', (row, column, text) => {
    expect(one(row)?.faults).toContainEqual({ column, text });
    expect(one(row)?.faults.filter((fault) => fault.column === column)).toHaveLength(1);
  });

  test.each([
    ['43.63 S', '171.65 E', -43.63, 171.65],
    ['−43.63', '+171.65', -43.63, 171.65],
    ['-43,63°', '171,65°', -43.63, 171.65],
    ['0', '0', undefined, undefined],
  ])('takes %s, %s', (lat, lng, expectedLat, expectedLng) => {
    expect(one(`A2;IPC2;;${lat};${lng};;;;;`)?.entry).toMatchObject(
      expectedLat === undefined ? { name: 'A2' } : { lat: expectedLat, lng: expectedLng },
    );
    expect(one(`A2;IPC2;;${lat};${lng};;;;;`)?.entry.lat).toBe(expectedLat);
  });

  test('with a run of blanks in a number is refused as fast as any', () => {
    const text = `43${' '.repeat(300_000)}x`;
    expect(readDegrees(text)).toMatch(/isn't a number of degrees/);
    expect(readDegrees('43 °  S')).toBe(-43);
    expect(one(`A2;IPC2;;${text};171.65;;;;;`)?.faults).toContainEqual({
      column: 'lat',
      text: 'This has 300,003 characters. The most is 200.',
    });
  });

  test('with the name of another is noted, and can be added', () => {
    expect(plan(`${head}a1;IPC2\nB1;IPC3\nB1;IPC4`).map(({ faults, notes }) => [faults, notes])).toEqual([
      [[], ['Another sprinkler has this name.']],
      [[], []],
      [[], ['Another sprinkler has this name.']],
    ]);
  });

  test('takes over what the server knows', () => {
    const planned = plan(`${head}A2;IPC2`)[0];
    if (!planned) throw new Error('no row');
    const fine = { macAddress: '0004A3000009', serialNumberFault: null, macAddressFault: null };
    expect(withChecked(planned, fine)).toMatchObject({ entry: { macAddress: '0004A3000009' }, faults: [] });
    expect(withChecked(planned, { ...fine, macAddress: '' }).faults).toEqual([
      {
        column: 'macAddress',
        text: 'This serial number is not in the register: enter the MAC from its label.',
      },
    ]);
    expect(
      withChecked(planned, { ...fine, serialNumberFault: 'Taken.', macAddressFault: 'Taken too.' }).faults,
    ).toEqual([{ column: 'serialNumber', text: 'Taken.' }]);
  });
});

test('5,000 rows are judged in one go', () => {
  const rows = Array.from(
    { length: 5000 },
    (_none, n) => `L${n}\tIPC${n}\t\t-43.${600_000 + n}\t171.65\tNorth`,
  );
  const planned = plan(`Name\tSerial\tMAC\tLat\tLng\tGroup\n${rows.join('\n')}`);
  expect(planned.filter(({ faults }) => faults.length === 0)).toHaveLength(5000);
});

describe('a place in a row', () => {
  const pin = { lat: -43.75, lng: 172 };
  /** So many km north of the farm's pin. */
  const north = (km: number) => (pin.lat + km / 111.195).toFixed(5);
  const land = { name: 'Methven Dairy', ...pin, boundary: [] };
  const gateways = [{ id: 'i1', name: 'Shed', place: { lat: Number(north(-12)), lng: 172 } }];
  const judged = (lat: string, of: typeof land | null = land) => {
    const table = readTable(`Name\tSerial\tLat\tLong\tGateway\nB1\tIPC1\t${lat}\t172\tShed`);
    const [row] = planRows(table, guessColumns(table, true), true, { ...farm, gateways, land: of });
    return { notes: row?.notes, faults: row?.faults };
  };

  test.each([
    ['on the farm', north(1), [], []],
    ['far from the farm', north(33), ['This place is 33 km from Methven Dairy.'], []],
    ['out of reach of its gateway', north(10), ['This place is 22 km from its gateway Shed.'], []],
    [
      'where no device of the farm can stand',
      north(600),
      [],
      [expect.objectContaining({ column: 'lat', text: expect.stringMatching(/more than 500 km/) as string })],
    ],
  ])('%s', (_name, lat, notes, faults) => {
    expect(judged(lat)).toEqual({ notes, faults });
  });

  test('is said nothing of while the farm is not known', () => {
    expect(judged(north(600), null)).toEqual({ notes: [], faults: [] });
  });
});
