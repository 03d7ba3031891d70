import { Buffer } from 'node:buffer';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import type { ReadOutcome } from './file-content.ts';
import { createFileReader } from './file-reader.ts';
import { readFile } from './read-file.mjs';

const farm = { lat: -43.75, lng: 171.95 };
const dataUrl = (bytes: Uint8Array | string) =>
  `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
const ofText = (data: string) => readFile({ data, farm });
const ofBytes = (bytes: Uint8Array) => ofText(dataUrl(bytes));
const faultOf = (outcome: ReadOutcome) => (outcome.kind === 'fault' ? outcome.fault : 'none');
/** What of a file is left out, with its line and why. */
const refusedOf = (outcome: ReadOutcome) =>
  outcome.kind === 'content' ? outcome.content.refused.map(({ why }) => why) : faultOf(outcome);

const mark = '<Placemark><name>A</name><Point><coordinates>171.95,-43.75</coordinates></Point></Placemark>';
const kml = (inner: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`;

describe('XML', () => {
  it.each<[string, string, string]>([
    [
      'a billion laughs',
      `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>${kml('&b;')}`,
      "Line 1, column 61: entities aren't allowed.",
    ],
    [
      'an external entity',
      `<!DOCTYPE k [<!ENTITY x SYSTEM "file:///etc/passwd">]>${kml('&x;')}`,
      "Line 1, column 54: entities aren't allowed.",
    ],
    [
      'an external entity in a site',
      '<!DOCTYPE site [<!ENTITY x SYSTEM "file:///etc/passwd">]><site><pod name="&x;"/></site>',
      "entities aren't allowed.",
    ],
    [
      'an entity of a site that nobody declared',
      '<site><pod name="&xxe;" serial="1"/></site>',
      "entities aren't allowed.",
    ],
    [
      'an entity that nobody declared',
      kml('<name>&xxe;</name>'),
      "Line 1, column 65: entities aren't allowed.",
    ],
    [
      'a document type of 5 MB',
      `<!DOCTYPE k [${' '.repeat(5_000_000)}]>${kml(mark)}`,
      "Line 1, column 5000015: entities aren't allowed.",
    ],
    [
      '100,000 nested elements',
      `<kml>${'<a>'.repeat(100_000)}`,
      'Line 1, column 155: elements are nested more than 50 deep.',
    ],
    [
      'an attribute of 9 MB',
      `<kml a="${'x'.repeat(9_000_000)}"/>`,
      'Line 1, column 9000009: an attribute has more than 64 KB.',
    ],
    [
      '500,001 elements',
      `<kml>${'<a/>'.repeat(500_001)}</kml>`,
      'Line 1, column 2000004: the file has more than 500,000 elements.',
    ],
    [
      '201 attributes',
      `<kml ${Array.from({ length: 201 }, (_none, n) => `a${n}=""`).join(' ')}/>`,
      'Line 1, column 1502: an element has more than 200 attributes.',
    ],
    [
      'a name of 1 MB',
      kml(`<Placemark><name>${'x'.repeat(1_000_000)}</name></Placemark>`),
      'the text of name is too long.',
    ],
    [
      'UTF-7',
      `<?xml version="1.0" encoding="UTF-7"?>${kml(mark)}`,
      "The file's encoding 'UTF-7' isn't read here. Save it as UTF-8.",
    ],
    ['a NUL', kml(`<name>\u0000</name>${mark}`), 'Please choose a GeoJSON, KML or KMZ file.'],
    [
      'a file that ends too early',
      kml(mark).slice(0, -20),
      'this is no well-formed XML (unclosed tag: Placemark).',
    ],
    ['no KML', '<gpx><wpt lat="1" lon="2"/></gpx>', 'This XML is no KML.'],
    [
      'a web page',
      '<!DOCTYPE html><html><body>Please sign in</body></html>',
      'This is a web page, not a map file. Sign in where you got it and download it again.',
    ],
  ])('%s is refused with a sentence and a place', async (_case, text, sentence) => {
    expect(faultOf(await ofText(text))).toContain(sentence);
  });

  it.each([
    ['XInclude', `<xi:include href="http://192.0.2.1/a.kml"/>${mark}`],
    ['a schema of a server', `<x xsi:schemaLocation="http://192.0.2.1 http://192.0.2.1/a.xsd"/>${mark}`],
    [
      'a link to another file',
      `<NetworkLink><Link><href>http://192.0.2.1/a.kml</href></Link></NetworkLink>${mark}`,
    ],
  ])('%s is passed over', async (_case, inner) => {
    const outcome = await ofText(kml(inner));
    expect(outcome).toMatchObject({
      kind: 'content',
      content: { points: [{ name: 'A', lat: -43.75, lng: 171.95 }] },
    });
  });

  it('half of a character is refused where it is written as one, and else replaced', async () => {
    const half = (text: string) => kml(mark.replace('A', text));
    expect(faultOf(await ofText(half('A&#xD800;B')))).toBe("Line 1, column 80: entities aren't allowed.");
    const named = { content: { points: [{ name: 'A\uFFFDB' }] } };
    const json = JSON.stringify({
      type: 'Feature',
      properties: { name: 'A\uD800B' },
      geometry: { type: 'Point', coordinates: [171.95, -43.75] },
    });
    expect(await ofText(json)).toMatchObject(named);
    expect(await ofBytes(Buffer.from(`\uFEFF${half('A\uD800B')}`, 'utf16le'))).toMatchObject(named);
  });

  it('a document type without an inner part is passed over, never fetched', async () => {
    const outcome = await ofText(`<!DOCTYPE kml SYSTEM "http://192.0.2.1/kml.dtd">${kml(mark)}`);
    expect(outcome.kind).toBe('content');
  });

  it('text that is not what its declaration says is read, with characters that cannot be', async () => {
    const bytes = Buffer.from(kml(mark.replace('A', 'W\u00E1hi')), 'latin1');
    expect(await ofBytes(bytes)).toMatchObject({
      content: {
        points: [{ name: 'Wáhi' }],
        notes: ['Read as Windows-1252: please check names with macrons and accents.'],
      },
    });
  });

  it('a run of blanks of 4 MB in coordinates is read in its length', async () => {
    // Of the processor's time: what else a busy machine does is none of it.
    const started = process.cpuUsage();
    const outcome = await ofText(kml(mark.replace('171.95,-43.75', `171.95${' '.repeat(4_000_000)}`)));
    expect(refusedOf(outcome)).toEqual([
      `Line 1, coordinates: '' isn't a number of degrees. Write longitude,latitude.`,
    ]);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});

/** A ZIP file of one entry with whatever its headers say. */
function zipOf(
  name: string,
  content: Buffer,
  lies: {
    size?: number;
    entries?: number;
    flags?: number;
    inner?: string;
    mode?: number;
    also?: string;
  } = {},
): Buffer {
  const packed = deflateRawSync(content);
  const header = (signature: number, of: string, isCentral: boolean) => {
    const head = Buffer.alloc(isCentral ? 46 : 30);
    head.writeUInt32LE(signature, 0);
    const at = isCentral ? 6 : 4;
    head.writeUInt16LE(20, at);
    head.writeUInt16LE(lies.flags ?? 0, at + 2);
    head.writeUInt16LE(8, at + 4);
    head.writeUInt32LE(packed.length, at + 14);
    head.writeUInt32LE(lies.size ?? content.length, at + 18);
    head.writeUInt16LE(of.length, at + 22);
    if (isCentral) head.writeUInt32LE((lies.mode ?? 0) * 65_536, 38);
    return Buffer.concat([head, Buffer.from(of)]);
  };
  const local = Buffer.concat([header(0x04034b50, lies.inner ?? name, false), packed]);
  const names = lies.also === undefined ? [name] : [lies.also, name];
  const central = Buffer.concat(names.map((one) => header(0x02014b50, one, true)));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.entries ?? names.length, 8);
  end.writeUInt16LE(lies.entries ?? names.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

async function archive(entries: readonly (readonly [string, string])[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of entries) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('archives', () => {
  const good = Buffer.from(kml(mark));
  const oneName = 'doc.kml';
  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    [
      'a bomb',
      () => zipOf(oneName, Buffer.alloc(19_000_000, 32)),
      'The archive unpacks to more than 100 times its size.',
    ],
    [
      'an entry of 4 GB by its header',
      () => zipOf(oneName, good, { size: 0xfffffff0 }),
      'The archive unpacks to more than 20 MB.',
    ],
    [
      'a size that its header has elsewhere, where there is none',
      () => zipOf(oneName, good, { size: 0xffffffff }),
      'The archive unpacks to more than 20 MB.',
    ],
    [
      'a link for a file',
      () => zipOf(oneName, Buffer.from('../../etc/passwd'), { mode: 0xa1ff }),
      'This is neither GeoJSON nor KML.',
    ],
    [
      'a size that is a lie',
      () => zipOf(oneName, Buffer.alloc(3_000_000, 32), { size: 100 }),
      'The archive is damaged (too many bytes in the stream',
    ],
    [
      'a path that leads out',
      () => zipOf('../../x.kml', good),
      'The archive names a file outside of itself. Please make it anew.',
    ],
    ['an absolute path', () => zipOf('/etc/x.kml', good), 'The archive names a file outside of itself.'],
    ['a path of Windows', () => zipOf('C:\\x.kml', good), 'The archive names a file outside of itself.'],
    [
      'encryption',
      () => zipOf(oneName, good, { flags: 1 }),
      'The archive is encrypted. Save it without a password.',
    ],
    [
      'bytes after its end',
      async () => Buffer.concat([await archive([[oneName, kml(mark)]]), Buffer.alloc(100)]),
      'The archive is damaged',
    ],
    [
      'half of it',
      async () => (await archive([[oneName, kml(mark)]])).subarray(0, 100),
      'The archive is damaged',
    ],
    [
      '20,000 files',
      () => zipOf(oneName, good, { entries: 20_000 }),
      'The archive holds 20,000 files. The most is 100.',
    ],
    [
      'two files named doc.kml',
      () =>
        archive([
          [oneName, kml(mark)],
          ['Doc.kml', kml(mark)],
        ]),
      'The archive holds two files named doc.kml.',
    ],
    ['an archive in it', () => archive([['inner.kmz', 'PK']]), 'The archive holds no KML file.'],
    [
      'a shapefile',
      () =>
        archive([
          ['land.shp', ''],
          ['land.prj', ''],
        ]),
      'This is a shapefile. Export the layer as GeoJSON in WGS 84',
    ],
    [
      'an Excel workbook',
      () => archive([['[Content_Types].xml', '']]),
      'This is an Excel workbook. Save it as CSV UTF-8',
    ],
  ])('with %s are refused', async (_case, make, sentence) => {
    expect(faultOf(await ofBytes(await make()))).toContain(sentence);
  });

  it.each<[string, Parameters<typeof zipOf>[2]]>([
    ['another name in front of its bytes than in its directory', { inner: 'other.txt' }],
    ['two names for the same bytes', { also: 'a.kml' }],
  ])('with %s give the file that the directory names', async (_case, lies) => {
    expect(await ofBytes(zipOf(oneName, good, lies))).toMatchObject({ content: { points: [{ name: 'A' }] } });
  });

  it('give the file doc.kml, else the first at the root, else the only one', async () => {
    const named = (name: string) => kml(mark.replace('A', name));
    for (const entries of [
      [
        ['a.kml', named('wrong')],
        ['doc.kml', named('right')],
      ],
      [
        ['files/a.kml', named('wrong')],
        ['b.kml', named('right')],
      ],
      [
        ['files/a.kml', named('right')],
        ['files/a.png', ''],
      ],
    ] as const)
      expect(await ofBytes(await archive(entries))).toMatchObject({
        content: { points: [{ name: 'right' }] },
      });
  });
});

/** Characters of XML that are read at a time. */
const PIECE = 64 * 1024;

it.each<[string, (text: string) => Buffer | Promise<Buffer>]>([
  ['UTF-8', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, the low byte first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, the high byte first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['a KMZ archive', (text) => archive([['doc.kml', text]])],
])('names and lines are whole, wherever a piece of the file ends, in %s', async (what, bytesOf) => {
  // Of two, three and four bytes in UTF-8; the last ones are two halves each in UTF-16.
  const name = 'é–ā中🐄👨‍👩‍👧';
  const read = async (root: string, before: number, inner: string) => {
    const start = `<${root}>`;
    const padding = 'x'.repeat(PIECE - start.length - before);
    return ofBytes(await bytesOf(`${start}${padding}${inner}</${root}>`));
  };
  const point = `<Placemark><name>${name}</name>\r\n<Point><coordinates>171.95,-43.75</coordinates></Point></Placemark>`;
  const marks = `${point}\r\n<Placemark><name>${name} &amp;</name></Placemark>`;
  const pods = `<pod lat="x" name="${name}"/>\r\n<pod name="${name} &amp;" lat="x"/>`;
  // From before the name to the end of its line.
  for (let before = 16; before < 18 + name.length + '</name>\r\n'.length; before += 1) {
    expect(await read('kml', before, marks)).toMatchObject({
      content: { points: [{ name, line: 1 }], refused: [{ name: `${name} &`, line: 3 }] },
    });
    if (what === 'a KMZ archive') continue;
    const units = [
      { name, line: 1 },
      { name: `${name} &`, line: 2 },
    ];
    expect(await read('site', before, pods)).toMatchObject({ content: { units } });
  }
});

describe('JSON', () => {
  const collection = (features: string) => `{"type":"FeatureCollection","features":[${features}]}`;
  const feature = (geometry: string, properties = '{"name":"A"}') =>
    `{"type":"Feature","properties":${properties},"geometry":${geometry}}`;
  const point = '{"type":"Point","coordinates":[171.95,-43.75]}';

  it.each<[string, string, string]>([
    [
      'a million brackets',
      `{"type":${'['.repeat(1_000_000)}`,
      'Line 1, column 59: values are nested more than 50 deep.',
    ],
    [
      'a member that stands twice',
      collection(feature(point, '{"name":"A","name":"B"}')),
      'the member name stands twice.',
    ],
    [
      'a number beyond all numbers',
      '{"type":"Point",\n"coordinates":[1e400,0]}',
      "Line 2, column 16: '1e400' is too large a number.",
    ],
    ['an end too early', collection(feature(point)).slice(0, -5), 'the file ends too early.'],
    [
      'a text with a broken escape',
      '{"type":"\\q"}',
      'Line 1, column 9: a text has a \\ that is followed by nothing known.',
    ],
    ['no GeoJSON', '{"hello":1}', "This JSON is no GeoJSON: its type is 'none'."],
    ['a list', '[1]', 'This JSON is no GeoJSON: it is a list.'],
    [
      'the projection of a shapefile',
      'PROJCS["NZGD2000"]',
      'This .prj is the projection of a shapefile. Export the layer as GeoJSON in WGS 84.',
    ],
    ['no text', 'abc\u0000def', 'This is no text.'],
    ['nothing', '   ', 'The file is empty.'],
    [
      'coordinates of nowhere',
      feature('{"type":"Point","coordinates":[500,700]}'),
      "'500, 700' are no degrees",
    ],
    [
      'a projection that is not known',
      `{"type":"Feature","crs":{"type":"name","properties":{"name":"EPSG:27200"}},"properties":{"name":"A"},"geometry":${point}}`,
      "The coordinates are in 'EPSG:27200', which isn't known here.",
    ],
  ])('with %s is refused with a sentence and a place', async (_case, text, sentence) => {
    expect(faultOf(await ofText(text))).toContain(sentence);
  });

  it.each<[string, string, string[]]>([
    [
      'an outline of 500,000 corners',
      `{"type":"Polygon","coordinates":[[${'[171.9,-43.7],'.repeat(499_999)}[171.8,-43.7]]]}`,
      ['Line 1, coordinates: its outline has 500,000 corners. The most is 2,000: draw it with fewer.'],
    ],
    [
      'a line',
      '{"type":"LineString","coordinates":[[171,-43],[172,-43]]}',
      ['Line 1, type: a line is neither a place nor an area. Draw it as one of them, or take it out.'],
    ],
    [
      'two corners',
      '{"type":"Polygon","coordinates":[[[171,-43],[172,-43],[171,-43]]]}',
      ['Line 1, coordinates: its outline has fewer than three corners. Draw it anew.'],
    ],
    [
      'a latitude of 95',
      '{"type":"Point","coordinates":[171,95]}',
      [
        "Line 1, coordinates: '171, 95' isn't a place: longitude is from -180 to 180, latitude from -90 to 90. Correct it.",
      ],
    ],
    [
      'a word for a number',
      '{"type":"Point","coordinates":["171",-43]}',
      [`Line 1, coordinates: '["171",-43]' isn't [longitude, latitude], such as [171.95, -43.75].`],
    ],
  ])('%s is left out, with its line', async (_case, geometry, refused) => {
    expect(refusedOf(await ofText(geometry))).toEqual(refused);
  });

  it('what of a collection can’t be taken says which feature, where in it, and what stands there', async () => {
    const ring = '[[171,-43],[172,-43],["east",-44],[171,-43]]';
    const text = collection(
      [
        '7',
        feature('null'),
        feature(`{"type":"Polygon","coordinates":[${ring}]}`),
        feature('{"type":"Arc"}'),
      ].join(',\n'),
    );
    expect(refusedOf(await ofText(text))).toEqual([
      "Line 1, features[0]: '7' is no feature. Take it out.",
      'Line 2, features[1]: it has no geometry. Give it a point or an outline.',
      `Line 3, features[2].geometry.coordinates[0][2]: '["east",-44]' isn't [longitude, latitude], such as [171.95, -43.75].`,
      "Line 4, features[3].geometry.type: 'Arc' is no geometry of GeoJSON. Export the layer anew.",
    ]);
  });

  it('__proto__ is a name like any other, and names that turn or hide stay text', async () => {
    const text = collection(
      [
        feature(point, '{"__proto__":{"name":"x"},"name":"\u202Egnp.exe"}'),
        feature(point, '{"name":"👨‍👩‍👧‍👦🐄"}'),
        feature(point, '{"name":12345678901234567890}'),
      ].join(','),
    );
    const outcome = await ofText(text);
    expect(outcome).toMatchObject({
      content: {
        points: [{ name: '\u202Egnp.exe' }, { name: '👨‍👩‍👧‍👦🐄' }, { name: '12345678901234567890' }],
      },
    });
  });
});

describe('data URLs', () => {
  it.each<[string, string, string]>([
    [
      'with broken base64',
      'data:application/vnd.google-earth.kml+xml;base64,PGttbD4*',
      'The file was damaged on its way.',
    ],
    [
      'of a web page',
      `data:text/html;base64,${Buffer.from('<html></html>').toString('base64')}`,
      'This is a web page',
    ],
    ['with nothing in it', 'data:;base64,', 'The file is empty.'],
    ['of 10.1 MB', dataUrl(Buffer.alloc(10_600_000, 32)), 'The file has 10.1 MB. The most is 10 MB.'],
    [
      'that unpack to 41 MB',
      dataUrl(gzipSync(Buffer.alloc(41 * 1024 * 1024, 32))),
      'The file unpacks to more than 40 MB.',
    ],
    [
      'that are half of something packed',
      dataUrl(gzipSync(Buffer.from(kml(mark))).subarray(0, 60)),
      'The file was damaged on its way.',
    ],
  ])('%s are refused', async (_case, data, sentence) => {
    expect(faultOf(await ofText(data))).toContain(sentence);
  });
});

it('every cut of a good file is read or refused with a sentence, and never half a point', async () => {
  const whole = kml(mark);
  for (let length = 0; length < whole.length; length += 1) {
    const outcome = await readFile({ data: whole.slice(0, length) || ' ', farm });
    expect(outcome.kind).toBe('fault');
  }
});

it('the thread that serves everybody goes on while a file of 10 MB is read', async () => {
  const line = `<LineString><coordinates>${'171.1234567,-43.1234567,0 '.repeat(1000)}</coordinates></LineString>`;
  const data = kml(`<Placemark>${line}</Placemark>`.repeat(390));
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  await createFileReader()({ typeFile: 'kml', data, farm }, 1);
  clearInterval(timer);
  // 50 ms on a machine that does nothing else.
  expect(longest).toBeLessThan(500);
});
