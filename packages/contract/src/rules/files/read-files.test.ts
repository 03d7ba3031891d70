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
    ['[pod1]\nname=A\nNAME=B', 'Line 3: name stands on line 2 already. Take one of them out.'],
    ['[pod1]\n[farm]\n[POD1]', 'Line 3: section [pod1] stands on line 1 already. Take one of them out.'],
    ['name=A', "Line 1: 'name=A' stands before the first [section]. Put it below the one that it is of."],
    [
      '[pod1]\njust text',
      "Line 2: 'just text' is neither a [section] nor key=value. Correct it, or take it out.",
    ],
    ['[pod1\nx=1', "Line 1: '[pod1' is neither a [section] nor key=value. Correct it, or take it out."],
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
        '[pump1]',
        'name=P1',
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
        at: {
          row: 'Line 7',
          name: 'Line 8, name',
          serialNumber: 'Line 9, serial',
          macAddress: 'Line 10, mac',
          groups: 'Line 11, group',
          lat: 'Line 12, lat',
          lng: 'Line 13, lng',
        },
        faults: [],
      },
      {
        line: 4,
        kind: 'sprinkler',
        name: 'A10',
        farmId: '02:03',
        channel: 2,
        at: { row: 'Line 4', name: 'Line 5, name', channel: 'Line 6, channel' },
        faults: [],
      },
      { line: 15, kind: 'repeater', name: 'R1', at: { row: 'Line 15', name: 'Line 16, name' }, faults: [] },
    ]);
    expect(notes).toEqual(['Not known and left out: [pump1] on line 17.', 'Not known and left out: colour.']);
  });

  test('says what the farm is called, where it and its gateways stand, its groups and its corners by their numbers', () => {
    const { farm, gateways, groups, boundary, refused, notes, fault } = readProject(
      [
        '[farm]',
        'name=Hill; Dale',
        'lat=-43.75',
        'lng=171.95',
        '[gateway2]',
        'name=G2',
        '[gateway1]',
        'name=G1',
        'serial=INC1',
        'lat=-43.751',
        'lng=171.951',
        '[group1]',
        'name=North',
        '[boundary]',
        'p10=-43.76,171.96',
        'p2 = -43.75, 171.96',
        'p1=-43.75;171.95',
      ].join('\r\n'),
    );
    expect({ farm, gateways, groups, boundary, refused, notes, fault }).toEqual({
      farm: { line: 1, name: 'Hill; Dale', lat: -43.75, lng: 171.95 },
      gateways: [{ line: 7, name: 'G1', serial: 'INC1', lat: -43.751, lng: 171.951 }],
      groups: [{ line: 12, name: 'North' }],
      boundary: {
        line: 14,
        ring: [
          { line: 17, lat: -43.75, lng: 171.95 },
          { line: 16, lat: -43.75, lng: 171.96 },
          { line: 15, lat: -43.76, lng: 171.96 },
        ],
      },
      refused: [],
      notes: [],
      fault: null,
    });
  });

  test('with a corner, a place or a name that can’t be read has nothing in its stead, and takes the rest', () => {
    const { farm, gateways, groups, boundary, refused } = readProject(
      [
        '[farm]',
        'name=Hill',
        'lat=x',
        'lng=171.95',
        '[gateway1]',
        'name=G1',
        'lat=-43.7',
        '[group1]',
        'colour=red',
        '[group2]',
        'name=North',
        '[boundary]',
        'p1=-43,75,171,95',
      ].join('\n'),
    );
    expect({ farm, gateways, boundary, groups }).toEqual({
      farm: null,
      gateways: [],
      boundary: null,
      groups: [{ line: 10, name: 'North' }],
    });
    expect(refused).toEqual([
      { line: 5, name: 'G1', why: 'Line 5: [gateway1] has a latitude only. A place needs both.' },
      { line: 8, name: 'group1', why: 'Line 8: [group1] has no name. Please add name=…' },
      {
        line: 1,
        name: 'Hill',
        why: "Line 3, lat: 'x' isn't a number of degrees, like -43.75.",
      },
      {
        line: 12,
        name: 'boundary',
        why: "Line 13, p1: '-43,75,171,95' isn't a corner. Write latitude,longitude, such as -43.75,171.95.",
      },
    ]);
  });

  test.each([
    ['', 'The file is empty.', undefined],
    [
      'PROJCS["NZGD2000 / New Zealand Transverse Mercator 2000",GEOGCS["x"]]',
      'This .prj is the projection of a shapefile, not a project. Export the layer as GeoJSON in WGS 84.',
      undefined,
    ],
    [
      '<!DOCTYPE html><html>',
      'This is a web page. Sign in where you got it and download the file again.',
      undefined,
    ],
    [
      'PK\u0003\u0004xl/workbook',
      'This is an Excel workbook or an archive. In Excel, save it as CSV UTF-8, and choose that file.',
      undefined,
    ],
    ['{"type":"FeatureCollection"}', 'This is GeoJSON. Choose Location.', 'geojson'],
    ['\uFEFF<?xml version="1.0"?><kml>', 'This is KML. Choose Location.', 'kml'],
    ['name;serial\nA1;IPC1', 'This is a list of devices. Choose List of Devices.', 'podlist'],
    [
      'set,group,serial_number,start,duration\n',
      'This is a list of schedules. Choose Schedules.',
      'schedules',
    ],
    ['{"hello":1}', 'This is JSON, not a list of devices or a project.', undefined],
    ['[pod1]\nname=\u0000', 'This is no text. Please choose a text file.', undefined],
    [
      '[farm]\nchannel=2',
      'The file has nothing that is taken from a project: no [pod1], [repeater1], [gateway1] with its place, [group1], [boundary], nor a [farm] with its name or place.',
      undefined,
    ],
    [`[pod1]\nname=${'x'.repeat(10_600_000)}`, 'The file has 10.1 MB. The most is 10 MB.', undefined],
    [
      Array.from({ length: 5001 }, (_none, n) => `[pod${n}]`).join('\n'),
      'The file lists 5,001 sprinklers. The most is 5,000.',
      undefined,
    ],
  ])('no. %# is refused', (text, fault, suggested) => {
    const { units, ...read } = readProject(text);
    expect([units, read.fault, read.suggested]).toEqual([[], fault, suggested]);
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
    [`name;serial\nA1;"${'x'.repeat(9_000_000)}`, 'Row 2: a quotation mark is opened and not closed.'],
    ['x'.repeat(10_600_000), 'The file has 10.1 MB. The most is 10 MB.'],
    ['[pod1]\nname=A1', 'This is a project. Choose Full site information.'],
    ['{"version": 1, "ipcs": []}', 'This is site.json. Choose Full site information.'],
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

  test('of a farm of 5,000 sprinklers with all its other devices is read; of more sprinklers it is refused', () => {
    const rows = (sprinklers: number) =>
      [
        'kind;name;serial',
        ...Array.from({ length: sprinklers }, (_none, n) => `sprinkler;${n};IPC${n}`),
        ...Array.from({ length: 500 }, (_none, n) => `repeater;R${n};RPT${n}`),
        ...Array.from({ length: 2000 }, (_none, n) => `poi;Gate ${n};`),
      ].join('\n');
    expect(readDeviceList(rows(5000))).toMatchObject({ fault: null, units: { length: 5500 } });
    expect(readDeviceList(rows(5001)).fault).toBe('The file lists 5,001 sprinklers. The most is 5,000.');
  });

  test('whatever it is, without breaking', () => {
    fc.assert(fc.property(fc.string(), (text) => void readDeviceList(`name\n${text}`)));
  });
});
