import type { ImportType } from '../../imports.ts';

/** As people choose them. spec 2 §2.14 */
export const menuLabels: Readonly<Record<ImportType, string>> = {
  project: 'Full site information',
  rxp: 'Full site information',
  ims: 'Full site information',
  geojson: 'Location',
  kml: 'Location',
  podlist: 'List of Devices',
  sparelist: 'List of Devices',
  schedules: 'Schedules',
};

/** What a file is, and by which type it is imported. */
interface KnownFile {
  readonly what: string;
  readonly type: ImportType;
}

/** "This is GeoJSON. Choose Location." */
export const wrongTypeText = ({ what, type }: KnownFile): string =>
  `This is ${what}. Choose ${menuLabels[type]}.`;

const START = 4000;

/** What a text is by its beginning, whatever it is called; null: that can't be told. */
export function knownFile(text: string): KnownFile | null {
  const start = text
    .slice(0, START)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('{')) return knownJson(start, text);
  if (/<kml[\s>]/i.test(start)) return { what: 'KML', type: 'kml' };
  if (/<site[\s/>]/i.test(start)) return { what: 'an RXP site', type: 'rxp' };
  if (/^(?:[;#].*[\r\n]+\s*)*\[[A-Za-z][\w ]*\]\s*(?:[\r\n]|$)/.test(start))
    return { what: 'a project', type: 'project' };
  return knownTable(start);
}

function knownJson(start: string, text: string): KnownFile | null {
  if (
    /"type"\s*:\s*"(?:Feature|FeatureCollection|(?:Multi)?(?:Point|Polygon|LineString)|GeometryCollection)"/.test(
      start,
    )
  )
    return { what: 'GeoJSON', type: 'geojson' };
  return text.includes('"ipcs"') && text.includes('"version"') ? { what: 'site.json', type: 'ims' } : null;
}

/** By the names of its columns. */
function knownTable(start: string): KnownFile | null {
  const [, head = ''] = /^(?:sep=.\r?\n)?([^\r\n]*)/.exec(start) ?? [];
  const names = head
    .toLowerCase()
    .split(/[;,\t]/)
    .map((name) => name.replaceAll(/["\s]/g, '').replaceAll('-', '_'));
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  if (has('set') && has('start') && has('duration'))
    return { what: 'a list of schedules', type: 'schedules' };
  return names.length > 1 && has('name', 'serial', 'serial_number', 'serialnumber')
    ? { what: 'a list of devices', type: 'podlist' }
    : null;
}
