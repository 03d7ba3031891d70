import {
  flags,
  hasRight,
  levels,
  presets,
  resources,
  templates,
  type Flag,
  type Level,
  type Permissions,
  type Resource,
  type Right,
} from '@headrace/contract/permissions';

/** What can be done with each of the nine resources, in the order of the columns. */
export const rightLevels = ['Read', 'Create', 'Edit', 'Delete'] as const satisfies readonly Level[];

export const resourceLabels: Record<Resource, string> = {
  farms: 'Farm',
  groups: 'Groups',
  placeholders: 'Placeholders',
  irrigationDevices: 'Sprinklers',
  sensors: 'Sensors',
  schedules: 'Schedules',
  gateways: 'Gateways',
  repeaters: 'Repeaters',
  pois: 'Points of interest',
};

/** A flag by what it lets a person do, and what that means on the farm. `with`: without it the flag is of little use. */
interface FlagLabels {
  label: string;
  hint: string;
  with?: Right;
}
const mapToo: Right = { flag: 'sprinklersStatus' };
const reads = (resource: Resource): Right => ({ resource, level: 'Read' });

export const flagLabels: Record<Flag, FlagLabels> = {
  dashboard: {
    label: 'Open the dashboard',
    hint: 'The farm at a glance: tanks, flow, weather and commands.',
  },
  sprinklersStatus: {
    label: 'See the maps',
    hint: 'Sprinklers and tanks on the map, with how each of them is.',
  },
  notifications: { label: 'Get notifications', hint: 'News and alerts of the farm, and setting alerts up.' },
  pollSprinkler: {
    label: 'Request status',
    hint: 'Ask a sprinkler or a group how it is now.',
    with: mapToo,
  },
  inhibitSprinkler: {
    label: 'Inhibit sprinklers',
    hint: 'Keep a single sprinkler from watering, and let it water again.',
    with: mapToo,
  },
  toggleValve: {
    label: 'Turn valves on and off',
    hint: 'Water starts or stops at once, whatever the schedule says.',
    with: mapToo,
  },
  replaceSprinkler: {
    label: 'Replace sprinklers',
    hint: 'Put a spare unit in the place of another.',
    with: reads('irrigationDevices'),
  },
  convertIrrigationDevices: {
    label: 'Convert sprinklers',
    hint: 'Make a sprinkler a spare or a point of interest, and back.',
    with: reads('irrigationDevices'),
  },
  inhibitGroup: {
    label: 'Inhibit groups',
    hint: 'Keep whole groups from watering, and let them water again.',
    with: mapToo,
  },
  manageGroupDevices: {
    label: 'Choose who is in a group',
    hint: 'Put sprinklers in groups and take them out.',
    with: reads('groups'),
  },
  sendScheduleToSite: {
    label: 'Send schedules to the farm',
    hint: 'Also tries to mend units that are out of contact or have a wrong schedule.',
    with: reads('schedules'),
  },
  sendScheduleToGroup: {
    label: 'Send schedules to groups',
    hint: 'Give the sprinklers of a group their times.',
    with: reads('schedules'),
  },
  sendGatewaySettings: {
    label: 'Send gateway settings',
    hint: 'Change how gateways report and talk to their devices.',
    with: reads('gateways'),
  },
  sendRelayValues: {
    label: 'Switch outputs',
    hint: 'Turn pumps and whatever else a gateway switches on or off, and name them.',
    with: reads('gateways'),
  },
  import: { label: 'Import files', hint: 'Read farms, devices and schedules in from files.' },
  export: { label: 'Export files', hint: 'Take the configuration and schedules out as files.' },
};

export const flagGroups: readonly { title: string; flags: readonly Flag[] }[] = [
  { title: 'Looking', flags: ['dashboard', 'sprinklersStatus', 'notifications'] },
  {
    title: 'Sprinklers',
    flags: [
      'pollSprinkler',
      'inhibitSprinkler',
      'toggleValve',
      'replaceSprinkler',
      'convertIrrigationDevices',
    ],
  },
  { title: 'Groups', flags: ['inhibitGroup', 'manageGroupDevices'] },
  { title: 'Schedules', flags: ['sendScheduleToSite', 'sendScheduleToGroup'] },
  { title: 'Gateways', flags: ['sendGatewaySettings', 'sendRelayValues'] },
  { title: 'Files', flags: ['import', 'export'] },
];

export type Template = (typeof templates)[keyof typeof templates];

/** The four templates, with what one gets who chooses it. */
export const templateChoices: readonly {
  value: Template;
  label: string;
  hint: string;
  permissions: Permissions;
}[] = [
  {
    value: templates.FarmManager,
    label: 'Farm Manager',
    hint: 'Everything that you can do on the farm.',
    permissions: presets.farmManager,
  },
  {
    value: templates.Agent,
    label: 'Agent',
    hint: 'Everything, but the farm itself can only be looked at.',
    permissions: presets.agent,
  },
  { value: templates.Guest, label: 'Guest', hint: 'Looks, and changes nothing.', permissions: presets.guest },
  {
    value: templates.Custom,
    label: 'Custom',
    hint: 'Begins with nothing; choose each right below.',
    permissions: presets.none,
  },
];

export const templateName = (template: number): string =>
  templateChoices.find(({ value }) => value === template)?.label ?? 'Custom';

const verbs: Record<(typeof rightLevels)[number], string> = {
  Read: 'see',
  Create: 'add',
  Edit: 'change',
  Delete: 'delete',
};

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "a, b and c" */
export function listText(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** What somebody with these rights may do, a sentence for each kind of it. */
export function rightsText(permissions: Permissions): string[] {
  const byLevel = new Map<number, string[]>();
  for (const name of resources) {
    const level = permissions[name] & levels.All;
    if (level !== 0) byLevel.set(level, [...(byLevel.get(level) ?? []), resourceLabels[name].toLowerCase()]);
  }
  const sentences = [...byLevel]
    .sort(([one], [other]) => other - one)
    .map(([level, names]) => {
      const may = rightLevels.filter((name) => (level & levels[name]) !== 0).map((name) => verbs[name]);
      return `${upperFirst(listText(may))}: ${listText(names)}.`;
    });
  const may = flags.filter((name) => permissions[name]).map((name) => lowerFirst(flagLabels[name].label));
  if (may.length > 0) sentences.push(`${upperFirst(listText(may))}.`);
  return sentences.length > 0 ? sentences : ['Nothing yet.'];
}

/** What changes from one set of rights to another, a line for each resource and one for flags that come or go. */
export function changesText(before: Permissions, after: Permissions): string[] {
  const lines = resources.flatMap((name) => {
    const may = rightLevels.filter((level) => gained(before, after, { resource: name, level }));
    const mayNot = rightLevels.filter((level) => gained(after, before, { resource: name, level }));
    const parts = [
      may.length > 0 && `now ${listText(may)}`,
      mayNot.length > 0 && `no longer ${listText(mayNot)}`,
    ];
    const said = parts.filter((part) => part !== false);
    return said.length > 0 ? [`${resourceLabels[name]}: ${said.join('; ')}.`] : [];
  });
  const labels = (from: Permissions, to: Permissions) =>
    flags
      .filter((name) => gained(from, to, { flag: name }))
      .map((name) => lowerFirst(flagLabels[name].label));
  const more = labels(before, after);
  const fewer = labels(after, before);
  if (more.length > 0) lines.push(`May now ${listText(more)}.`);
  if (fewer.length > 0) lines.push(`May no longer ${listText(fewer)}.`);
  return lines;
}

const gained = (before: Permissions, after: Permissions, right: Right) =>
  !hasRight(before, right) && hasRight(after, right);

/** What is allowed here and yet of no use, with what is missing. Nothing is added by itself: the owner decides. */
export function uselessRights(permissions: Permissions): string[] {
  const isEmpty =
    resources.every((name) => permissions[name] === 0) && flags.every((name) => !permissions[name]);
  if (isEmpty) return ['Nothing is allowed: the person would see nothing of the farm.'];
  const warnings: string[] = [];
  if (!hasRight(permissions, reads('farms')))
    warnings.push("Without Read on Farm the farm isn't shown on the person's home page.");
  for (const name of resources) {
    const more = rightLevels.filter(
      (level) => level !== 'Read' && hasRight(permissions, { resource: name, level }),
    );
    if (name !== 'farms' && more.length > 0 && !hasRight(permissions, reads(name)))
      warnings.push(
        `${resourceLabels[name]}: ${listText(more)} without Read. The list of them stays closed.`,
      );
  }
  for (const name of flags) {
    const { label, with: needed } = flagLabels[name];
    if (permissions[name] && needed && !hasRight(permissions, needed))
      warnings.push(`${label}: of little use without ${rightName(needed)}.`);
  }
  return warnings;
}

const rightName = (right: Right) =>
  'flag' in right
    ? `“${flagLabels[right.flag].label}”`
    : `${right.level} on ${resourceLabels[right.resource]}`;
