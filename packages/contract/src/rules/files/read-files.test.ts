import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDeviceList } from './read-device-list.ts';
import { readIni } from './read-ini.ts';
import { readProject } from './read-project.ts';

describe('an INI text', () => {
  test('has sections of keys, without comments, quotes and the blanks around them', () => {
    const { sections, faults } = readIni(
      '\uFEFF; made by hand\r\n[Farm]\r\nName = "Hill; Dale"\r\n# x\r\n__proto__=1\r\n[pod1]\rname=A=1\n',
    );
    expect(faults).toEqual([]);
    expect(sections.map(({ name, line, entries }) => [name, line, [...entries]])).toEqual([
      [
        'farm',
        2,
        [
          ['name', { value: 'Hill; Dale', line: 3 }],
          ['__proto__', { value: '1', line: 5 }],
        ],
      ],
      ['pod1', 6, [['name', { value: 'A=1', line: 7 }]]],
    ]);
  });

  test.each([
    ['[pod1]\nname=A\nNAME=B', 'Line 3: name stands on line 2 already.'],
    ['[pod1]\n[farm]\n[POD1]', 'Line 3: section [pod1] stands on line 1 already.'],
    ['name=A', "Line 1: 'name=A' stands before the first [section]."],
    ['[pod1]\njust text', "Line 2: 'just text' is neither a [section] nor key=value."],
    ['[pod1\nx=1', "Line 1: '[pod1' is neither a [section] nor key=value."],
  ])('%j: %s', (text, fault) => {
    expect(readIni(text).faults[0]).toBe(fault);
  });

  test('whatever it is, without breaking, and every cut of a good one', () => {
    fc.assert(fc.property(fc.string(), (text) => void readProject(text)));
    const good = '[farm]\nchannel=2\n[pod1]\nname=A1\nserial=IPC1\nlat=-43.7\nlng=171.9\n';
    for (let end = 0; end < good.length; end += 1) void readProject(good.slice(0, end));
  });
});

describe('a project', () => {
  test('lists sprinklers and repeaters by their numbers, with the farm’s radio where they say none', () => {
    const { units, fault, notes } = readProject(
      [
        '[farm]',
        'farm_id=02:03',
        'channel=16',
        '[pod10]',
        'name=A10',
        'channel=2',
        '[pod9]',
        'name=A9',
        'serial=IPC9',
        'mac=0004A3000009',
        'group=North|South',
        'lat=-43,75',
        'lng=171.95',
        'colour=red',
        '[repeater1]',
        'name=R1',
        '[boundary]',
        'p1=1,2',
      ].join('\n'),
    );
    expect(fault).toBeNull();
    expect(units).toEqual([
      {
        line: 7,
        kind: 'sprinkler',
        name: 'A9',
        serialNumber: 'IPC9',
        macAddress: '0004A3000009',
        farmId: '02:03',
        channel: 16,
        groups: 'North|South',
        lat: -43.75,
        lng: 171.95,
        faults: [],
      },
      { line: 4, kind: 'sprinkler', name: 'A10', farmId: '02:03', channel: 2, faults: [] },
      { line: 15, kind: 'repeater', name: 'R1', faults: [] },
    ]);
    expect(notes).toEqual([
      'Not imported: [boundary] on line 17. Only sprinklers and repeaters are taken from a project.',
      'Not known and left out: colour.',
    ]);
  });

  test.each([
    ['', 'The file is empty.'],
    [
      'PROJCS["NZGD2000 / New Zealand Transverse Mercator 2000",GEOGCS["x"]]',
      'This .prj is the projection of a shapefile, not a project.',
    ],
    ['<!DOCTYPE html><html>', 'This is a web page. Sign in where you got it and download the file again.'],
    [
      'PK\u0003\u0004xl/workbook',
      'This is an Excel workbook or an archive. In Excel, save it as CSV UTF-8, and choose that file.',
    ],
    ['{"type":"FeatureCollection"}', 'This is JSON, not a list of devices or a project.'],
    ['[pod1]\nname=\u0000', 'This is no text. Please choose a text file.'],
    [
      '[farm]\nname=Hill',
      'The file has no section [pod1] or [repeater1]: it lists no sprinklers and no repeaters.',
    ],
    [`[pod1]\nname=${'x'.repeat(2_000_000)}`, 'The file has too much text: the most is 2 MB.'],
    [
      Array.from({ length: 5001 }, (_none, n) => `[pod${n}]`).join('\n'),
      'The file lists 5,001 units. The most is 5,000.',
    ],
  ])('no. %# is refused', (text, fault) => {
    expect(readProject(text)).toEqual({ units: [], fault, notes: [] });
  });

  test('says where a value is wrong', () => {
    expect(readProject('[pod1]\nname=A1\nlat=north\nchannel=1.5').units[0]?.faults).toEqual([
      "Line 4, channel: '1.5' isn't a whole number.",
      "Line 3, lat: 'north' isn't a number of degrees, like -43.75.",
    ]);
  });
});

describe('a list of devices', () => {
  test.each([
    'name;serial_number;mac_address;farm_id;channel;group;latitude;longitude\nA1;IPC1;0004A3000001;01:01;2;North;-43,75;171,95',
    '\uFEFFSerial Number,Name,MAC-address,Farm ID,channel,GROUP,lat,long\r\nIPC1,A1,0004A3000001,01:01,2,North,-43.75,171.95\r\n',
    'sep=;\nname;serial;mac;farm_id;channel;group;lat;lng\nA1;IPC1;0004A3000001;01:01;2;North;-43.75;171.95',
  ])('%j is read', (text) => {
    const { units, fault, notes } = readDeviceList(text);
    expect([fault, notes]).toEqual([null, []]);
    expect(units).toMatchObject([
      {
        kind: 'sprinkler',
        name: 'A1',
        serialNumber: 'IPC1',
        macAddress: '0004A3000001',
        farmId: '01:01',
        channel: 2,
        groups: 'North',
        lat: -43.75,
        lng: 171.95,
        faults: [],
      },
    ]);
  });

  test('tells by its kind column what each is, and what it leaves out', () => {
    const { units, notes } = readDeviceList(
      'kind,name,state,colour\nsprinkler,A1,spare,red\nrepeater,R1,,\nsensor,T1,,\nsprinkler,P1,placeholder,',
    );
    expect(units.map(({ kind, name, isSpare }) => [kind, name, isSpare])).toEqual([
      ['sprinkler', 'A1', true],
      ['repeater', 'R1', undefined],
    ]);
    expect(notes).toEqual([
      'Columns that are left out: colour.',
      '2 rows are neither a sprinkler nor a repeater and left out.',
    ]);
  });

  test.each([
    [
      'A1;IPC1',
      'The first row must name the columns, such as name;serial_number;mac_address;farm_id;channel;group;latitude;longitude.',
    ],
    ['name;serial\n', 'The file lists no devices.'],
    ['name;serial\nA1;"IPC1', 'Row 2: a quotation mark is opened and not closed.'],
    ['name;serial;Name\nA1;IPC1;B1', 'The column name stands twice. Please take one out.'],
    [`name;serial\nA1;"${'x'.repeat(1_900_000)}`, 'Row 2: a quotation mark is opened and not closed.'],
    ['x'.repeat(10_000_000), 'The file has too much text: the most is 2 MB.'],
    [`name${';x'.repeat(9999)}`, 'A row has 10000 cells. The most is 40.'],
  ])('%.60j is refused', (text, fault) => {
    expect(readDeviceList(text).fault).toBe(fault);
  });

  test('of two that were put together is one list', () => {
    const { units, notes } = readDeviceList('name;serial\nA1;IPC1\nName;Serial\nA2;IPC2');
    expect(units.map(({ name, line }) => [name, line])).toEqual([
      ['A1', 2],
      ['A2', 4],
    ]);
    expect(notes).toEqual(['1 row repeats the names of the columns and is left out.']);
  });

  test('keeps names that turn or are drawn as text', () => {
    const { units } = readDeviceList('name;serial\n\u202Egnp;IPC1\n🐄🐄;IPC2');
    expect(units.map(({ name, faults }) => [name, faults])).toEqual([
      ['\u202Egnp', []],
      ['🐄🐄', []],
    ]);
  });

  test('says in which cell something is wrong, and takes our apostrophe off', () => {
    const [unit] = readDeviceList("name;serial;lat;lng\n'=A1;1.23E+11;x;0").units;
    expect(unit?.name).toBe('=A1');
    expect(unit?.faults).toEqual([
      "Row 2, column serial: '1.23E+11' is what the spreadsheet made of a long number. Format the column as text and copy again.",
      "Row 2, column lat: 'x' isn't a number of degrees, like -43.75.",
    ]);
  });

  test('does not read what is longer than any value, and says where it stands', () => {
    const long = 'x'.repeat(201);
    const groups = Array.from({ length: 40 }, (_none, n) => `Group ${n}`).join('|');
    const [unit] = readDeviceList(`name;serial;group;lat;lng\n${long};IPC1;${groups};${long};171.95`).units;
    expect(unit).toMatchObject({ name: undefined, serialNumber: 'IPC1', groups, lat: undefined });
    expect(unit?.faults).toEqual([
      'Row 2, column name: This has 201 characters. The most is 200.',
      'Row 2, column lat: This has 201 characters. The most is 200.',
    ]);
    const project = `[farm]\nchannel=${long}\n[pod1]\nname=A1\nlat=${long}\ngroup=${'x'.repeat(2001)}`;
    expect(readProject(project).units[0]?.faults).toEqual([
      'Line 6, group: This has 2,001 characters. The most is 2,000.',
      'Line 5, lat: This has 201 characters. The most is 200.',
      'Line 3, channel: This has 201 characters. The most is 200.',
    ]);
  });

  test('whatever it is, without breaking', () => {
    fc.assert(fc.property(fc.string(), (text) => void readDeviceList(`name\n${text}`)));
  });
});
