import Type from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { flag } from './permissions.ts';
import { RawReply } from './raw.ts';
import { READINGS_FILE_DAYS } from './limits.ts';
import { DayText, Uid } from './schemas.ts';

const exportOf = <const Key extends `GET /export/${string}`>(key: Key, type: string, summary: string) =>
  defineEndpoint({
    key,
    tag: 'Files',
    summary,
    needs: { anyOf: [flag('export')] },
    target: { farm: { in: 'query', name: 'farmUID' } },
    query: Type.Object({ farmUID: Uid }),
    sends: { types: [type] },
    makesFile: true,
    reply: RawReply,
  });

export const exportPods = exportOf(
  'GET /export/podlist',
  'text/plain',
  'pod-config.ini: the sprinklers in service, a section for each',
);
export const exportRepeaters = exportOf(
  'GET /export/rptrlist',
  'text/plain',
  'inc-rptrs.ini: the repeaters, a section for each',
);
export const exportSchedules = exportOf(
  'GET /export/schedules',
  'application/zip',
  'site.zip: a CSV file for each listed schedule set, and manifest.json that names them',
);
export const exportSite = exportOf(
  'GET /export/site-json',
  'application/json',
  'site.json: the whole configuration of the farm; no people, keys or readings',
);
export const exportDevices = exportOf(
  'GET /export/devices.csv',
  'text/csv',
  'devices.csv: all devices and points, a row for each',
);
export const exportKml = exportOf(
  'GET /export/farm.kml',
  'application/vnd.google-earth.kml+xml',
  'farm.kml: the boundary, and what has a place, in folders by kind',
);
export const exportGeoJson = exportOf(
  'GET /export/farm.geojson',
  'application/geo+json',
  'farm.geojson: the boundary, and what has a place (RFC 7946)',
);

/** What a row of readings.csv is. */
export type Each = keyof typeof READINGS_FILE_DAYS;

export const exportReadings = defineEndpoint({
  key: 'GET /export/readings.csv',
  tag: 'Files',
  summary: `readings.csv: what the devices that the caller may see have said, from a day up to and with another; readings and hours of at most ${READINGS_FILE_DAYS.hour} days, days of at most ${READINGS_FILE_DAYS.day}`,
  needs: { anyOf: [flag('export')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    deviceId: Type.Optional(Uid),
    each: Type.Unsafe<Each>({ type: 'string', enum: Object.keys(READINGS_FILE_DAYS) }),
    startDate: DayText,
    endDate: DayText,
  }),
  sends: { types: ['text/csv'], withinSeconds: 1800 },
  makesFile: true,
  reply: RawReply,
});
