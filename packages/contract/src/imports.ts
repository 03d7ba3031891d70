import Type, { type Static } from 'typebox';
import { RadioChannel, RadioFarmId } from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { flag } from './permissions.ts';
import { LatLng, LineText, oneOf, Uid } from './schemas.ts';
import { batchId } from './undo.ts';

const tag = 'Files';
const needs = { anyOf: [flag('import')] } as const;
const target = { farm: { in: 'body', name: 'farmUID' } } as const;

/**
 * What can be imported: CSV lists of sprinklers in service and of spares, a project (.prj, .ini), map files (GeoJSON, KML and
 * KMZ), an RXP site (XML), an IMS backup (site.json) and schedule sets (CSV, site.zip). Map files, sites and backups are told apart by what they hold.
 */
export const importTypes = [
  'podlist',
  'sparelist',
  'project',
  'geojson',
  'kml',
  'rxp',
  'ims',
  'schedules',
] as const;
export type ImportType = (typeof importTypes)[number];

/** `choose`: done only where a person asks for it; `left out`: not done, `why` says the reason. */
export const importActions = ['add', 'change', 'choose', 'same', 'left out'] as const;
export type ImportAction = (typeof importActions)[number];

export const ImportField = Type.Object({
  field: Type.String({
    description:
      'name, serialNumber, macAddress, lat, lng, farmId, channel, groups, isSpare, boundary, turns or cycle',
  }),
  from: Type.String(),
  to: Type.String(),
});
export type ImportField = Static<typeof ImportField>;

export const ImportRow = Type.Object({
  row: Type.Integer({ description: 'of the plan, from 0' }),
  line: Type.Integer({ description: 'of the file, from 1' }),
  kind: Type.String({
    description: 'sprinkler, repeater, gateway, sensor, poi, group, farm, boundary or schedule set',
  }),
  name: Type.String(),
  action: oneOf(importActions),
  fields: Type.Array(ImportField),
  why: Type.String(),
  others: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), fields: Type.Array(ImportField) }), {
      description: 'units that get what the one of this row has now, where it is done: they swap',
    }),
  ),
  together: Type.Optional(
    Type.Integer({
      description: 'the first of the rows that go together with this one: all are done, or none',
    }),
  ),
  apart: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'of rows that share a number here one at most is done: they are about the same device',
    }),
  ),
  stay: Type.Optional(
    Type.Array(ImportField, {
      description:
        'to choose: what is done where it stays in its lateral group, or a farm where it is. Absent: that is no choice; empty: nothing is',
    }),
  ),
  was: Type.Optional({ ...LatLng, description: 'where it stands; absent: nowhere' }),
  place: Type.Optional({ ...LatLng, description: 'where it would stand' }),
  ring: Type.Optional(Type.Array(LatLng, { description: 'the outline that it is about' })),
});
export type ImportRow = Static<typeof ImportRow>;

const file = {
  farmUID: Uid,
  typeFile: oneOf(importTypes),
  data: Type.String({
    description:
      'the text of the file, or a data URL with base64: of KMZ and site.zip, and of files that are no UTF-8',
  }),
  filename: LineText({ maxLength: 255 }),
  options: Type.Optional(
    Type.Object({
      importAsSpares: Type.Optional(Type.Boolean()),
      replaceIpcs: Type.Optional(
        Type.Boolean({
          description:
            'of site.json: sprinklers of an _id or name that the farm has take serial number and MAC of the file',
        }),
      ),
      farmId: Type.Optional({ ...RadioFarmId, description: 'of new units that say none; 01:01 unless said' }),
      channel: Type.Optional({ ...RadioChannel, description: 'of new units that say none; 1 unless said' }),
    }),
  ),
};
/** A file of 10 MB as a data URL, or as text with the escapes that a list has. */
const bodyMaxBytes = 14 * 1024 * 1024;

export const ImportPlan = Type.Object({
  revision: Type.String({
    description: 'of the farm and the plan: what was planned is done only while it would be planned so',
  }),
  notes: Type.Array(Type.String(), { description: 'what was passed over in the file' }),
  newGroups: Type.Array(Type.String(), { description: 'that the farm does not have yet' }),
  counts: Type.Object({
    add: Type.Integer(),
    change: Type.Integer(),
    choose: Type.Integer(),
    same: Type.Integer(),
    'left out': Type.Integer(),
  }),
  rows: Type.Array(ImportRow, { description: 'without those that stay as they are' }),
});
export type ImportPlan = Static<typeof ImportPlan>;

export const planImport = defineEndpoint({
  key: 'POST /import/plan',
  tag,
  summary:
    'What a file would do, row by row, and why not. Nothing is written. 400 at `data` where the file cannot be read; `current.typeFile` names the type that it is of, where another was said. Rows about what the caller may not add or change are left out',
  needs,
  perMinute: 20,
  target,
  body: Type.Object(file),
  bodyMaxBytes,
  reply: ImportPlan,
});

/** 10,000 points, 500 areas and a boundary; 5,500 units and as many points, 500 groups. */
const Rows = Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 17_000 });

export const ImportDone = Type.Object({
  result: Type.Boolean(),
  msg: Type.Object({ res_message: Type.String() }),
  batchId,
});
export type ImportDone = Static<typeof ImportDone>;

export const applyImport = defineEndpoint({
  key: 'POST /import/apply',
  once: true,
  tag,
  summary:
    'Do what `POST /import/plan` said of the same file, but for the rows in `skip`; of those to choose, the ones in `take`, and those in `stay` as they are where what they are about stays. All or none. 409 with the new plan as `current` when the farm changed since. It can be undone with `batchId`',
  needs,
  perMinute: 20,
  target,
  body: Type.Object({
    ...file,
    revision: Type.String({ maxLength: 64 }),
    skip: Type.Optional(Rows),
    take: Type.Optional(Rows),
    stay: Type.Optional(Rows),
  }),
  bodyMaxBytes,
  reply: ImportDone,
});

export const importFile = defineEndpoint({
  key: 'POST /import/file',
  once: true,
  tag,
  summary:
    'For programs: plan and do in one. `res_message`: "44 imported, 2 skipped#A14-the reason#…"; `result` is false, and nothing was done, where the file cannot be read',
  needs,
  perMinute: 20,
  target,
  body: Type.Object(file),
  bodyMaxBytes,
  reply: ImportDone,
});
