import { SCHEDULE_SETS_PER_FARM } from '@headrace/contract/limits';
import { tooManyUnits } from '@headrace/contract/rules/files/file-units';
import { fileSet, WATERINGS_MAX } from '@headrace/contract/rules/files/read-schedules';
import { FileFault, count } from './file-fault.mjs';
import { PlaceList } from './place-list.mjs';
import { isMember } from './read-json.mjs';
import { wateringsOf } from './read-site-zip.mjs';
import { unitOfFile } from './unit-of-file.mjs';

/**
 * @typedef {Record<string, unknown>} Member
 * @typedef {import('@headrace/contract/rules/files/read-schedules').FileSet} FileSet
 * @typedef {import('@headrace/contract/rules/files/file-units').FileUnit} FileUnit
 */

const VERSION = 1;
/** Lists of devices whose places are taken, with their kind. */
const PLACED = /** @type {const} */ ([
  ['gateways', 'gateway'],
  ['sensors', 'sensor'],
  ['pois', 'poi'],
]);

/**
 * site.json, a backup of a whole farm: sprinklers and repeaters as in a list of them, places of the others, and the boundary.
 * @param {Member} site
 * @param {(of: object) => number} lineOf
 * @param {{ lat: number, lng: number }} farm
 */
export function readSite(site, lineOf, farm) {
  if (site['version'] !== VERSION)
    throw new FileFault(
      `The file is of version ${String(Number(site['version']))}: it was made by a later Headrace.`,
    );
  const groups = new Map(listOf(site, 'groups').map((group) => [group['_id'], textOf(group['name'])]));
  const units = [
    ...listOf(site, 'ipcs').flatMap((ipc) => unitOf(ipc, 'sprinkler', groups, lineOf(ipc))),
    ...listOf(site, 'repeaters').flatMap((repeater) =>
      unitOf(repeater, 'repeater', groups, lineOf(repeater)),
    ),
  ];
  const tooMany = tooManyUnits(units);
  if (tooMany !== null) throw new FileFault(tooMany);
  const places = new PlaceList();
  for (const [list, kind] of PLACED)
    for (const device of listOf(site, list)) addPlace(places, device, kind, lineOf(device));
  const { boundary, name } = isMember(site['farm']) ? site['farm'] : {};
  const ring = Array.isArray(boundary) ? boundary.filter(isMember) : [];
  if (ring.length > 0)
    places.area(
      { line: lineOf(ring[0] ?? site), name: textOf(name), kind: 'boundary' },
      ring.map(positionOf),
      { corners: ring.length, holes: 0, at: 'boundary' },
    );
  if (listOf(site, 'templates').length > 0) places.notes.add('Not imported: templates.');
  const sets = setsOf(site, places.notes);
  const { points, areas } = places.found;
  if (units.length + points + areas + sets.length === 0)
    throw new FileFault('The file has no sprinklers, no repeaters, no places, no boundary and no schedules.');
  return places.content(null, farm, { units, sets });
}

/** @param {Member} site @param {string} name @returns {Member[]} */
const listOf = (site, name) => (Array.isArray(site[name]) ? site[name].filter(isMember) : []);

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/**
 * What is kept of a member of a list of site.json: a schedule set as it is read, since as objects of JSON its waterings take ten times
 * the room.
 * @param {string} list @param {unknown} member @param {(of: object) => number} lineOf
 */
export const siteMember = (list, member, lineOf) =>
  list === 'schedules' && isMember(member) ? setOf(member, lineOf) : member;

/** @param {Member} site as its members were kept @param {Set<string>} notes */
function setsOf(site, notes) {
  const sets = /** @type {(Member & FileSet)[]} */ (listOf(site, 'schedules'));
  if (sets.length > SCHEDULE_SETS_PER_FARM)
    throw new FileFault(
      `The file has ${count(sets.length)} schedule sets. A farm has ${SCHEDULE_SETS_PER_FARM} at most.`,
    );
  if (wateringsOf(sets) <= WATERINGS_MAX) return sets;
  notes.add(
    `Not imported: its schedules, which have more than ${count(WATERINGS_MAX)} waterings. Import those of site.zip one by one.`,
  );
  return [];
}

/** @param {Member} set @param {(of: object) => number} lineOf @returns {FileSet} */
function setOf(set, lineOf) {
  const settings = isMember(set['settings']) ? set['settings'] : {};
  const waterings = listOf(set, 'schedules').flatMap((turn) =>
    listOf(turn, 'schedules').map((watering) => ({
      line: lineOf(watering),
      texts: {
        group: textOf(turn['group']),
        schedule_group: textOf(turn['scheduleGroup']),
        serial_number: textOf(turn['serialNumber']),
        name: textOf(turn['name']),
        cycle: textOf(watering['cycle']),
        start: textOf(watering['start']),
        duration: textOf(watering['duration']),
        cycle_len: textOf(settings['cycleLen']),
      },
    })),
  );
  return fileSet({ line: lineOf(set), name: textOf(set['name']), uid: textOf(set['_id']) }, waterings);
}

/** @param {Member} place @returns {import('./read-coordinates.mjs').Position} */
const positionOf = ({ lat, lng }) => [Number(lng), Number(lat)];

/** @param {PlaceList} places @param {Member} device @param {string} kind @param {number} line */
function addPlace(places, device, kind, line) {
  if (typeof device['lat'] !== 'number' || typeof device['lng'] !== 'number') return;
  const of = { line, name: textOf(device['name']), serial: textOf(device['serialNumber']), kind, path: [] };
  places.point(of, positionOf(device), 'lat, lng');
}

/**
 * @param {Member} device
 * @param {FileUnit['kind']} kind
 * @param {ReadonlyMap<unknown, string>} groups
 * @param {number} line
 * @returns {FileUnit[]}
 */
function unitOf(device, kind, groups, line) {
  const settings = isMember(device['settings']) ? device['settings'] : {};
  // A place that is only kept has no unit.
  if (settings['isPlaceholder'] === true) return [];
  const ids = Array.isArray(device['groups']) ? device['groups'] : [];
  const named = ids.flatMap((id) => groups.get(id) ?? []).map((name) => name.replaceAll('|', '\\|'));
  const texts = {
    name: textOf(device['name']).trim(),
    serial: textOf(device['serialNumber']).trim(),
    mac: textOf(device['macAddress']).trim(),
    farm_id: textOf(settings['farmId']),
    channel: textOf(settings['channel']),
    group: named.join('|'),
    lat: textOf(device['lat']),
    lng: textOf(device['lng']),
  };
  const uid = textOf(device['_id']);
  return [unitOfFile({ line, kind, texts, uid, isSpare: settings['isSpareUnit'] === true })];
}
