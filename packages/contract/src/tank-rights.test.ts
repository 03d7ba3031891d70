import { expect, it } from 'vitest';
import { endpoints } from './api.ts';
import type { Endpoint } from './endpoint.ts';
import { flags, levels, meets, presets, resources } from './permissions.ts';

/** Every right that opens an endpoint by itself. */
function rightsThatOpen({ needs }: Endpoint): string[] {
  const ofFlags = flags.filter((name) => meets({ ...presets.none, [name]: true }, needs));
  const ofResources = resources.flatMap((name) =>
    (['Read', 'Create', 'Edit', 'Delete'] as const)
      .filter((level) => meets({ ...presets.none, [name]: levels[level] }, needs))
      .map((level) => `${name} ${level}`),
  );
  return [...ofFlags, ...ofResources];
}

const overview = ['dashboard', 'sensors Read'];
const readSensors = ['sensors Read'];
const editSensors = ['sensors Edit'];

/** Who sees the dashboard sees its numbers; histories and single tanks are the sensors', and so is what is set on them. */
it.each([
  ['GET /lvl/suminfo', overview],
  ['GET /headline/temperature', overview],
  ['GET /headline/accumulated-rainfall', overview],
  ['GET /headline/tank', overview],
  ['GET /headline/tankflow', overview],
  ['GET /headline/flow', overview],
  ['GET /headline/accumulated-flow', overview],
  ['GET /headline/io', overview],
  ['GET /tank/site-info', ['dashboard', 'sprinklersStatus', 'sensors Read']],
  ['GET /lvl/history', readSensors],
  ['GET /lvl/waterflow', readSensors],
  ['GET /level/full-info', readSensors],
  ['GET /level/basic-info', readSensors],
  ['GET /tank/battery', readSensors],
  ['POST /sensor/configupdate', editSensors],
  ['DELETE /sensor/configupdate', editSensors],
])('%s is open to %j', (key, rights) => {
  const found = Object.values<Endpoint>(endpoints).filter((endpoint) => endpoint.key === key);
  expect(found.map(rightsThatOpen)).toEqual([rights]);
});
