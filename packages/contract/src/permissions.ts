/**
 * Who may do what, as data: the server enforces it, the web hides by it, the docs list it and a generated test
 * walks it. No schema library here, so that the browser can carry it.
 */
export const levels = { None: 0, Read: 1, Create: 2, Edit: 4, Delete: 8, Account: 16, All: 15 } as const;
export type Level = 'Read' | 'Create' | 'Edit' | 'Delete' | 'Account';

export const resources = [
  'farms',
  'groups',
  'placeholders',
  'irrigationDevices',
  'sensors',
  'schedules',
  'gateways',
  'repeaters',
  'pois',
] as const;
export type Resource = (typeof resources)[number];

export const flags = [
  'dashboard',
  'sprinklersStatus',
  'convertIrrigationDevices',
  'sendScheduleToSite',
  'sendScheduleToGroup',
  'replaceSprinkler',
  'pollSprinkler',
  'inhibitGroup',
  'inhibitSprinkler',
  'toggleValve',
  'import',
  'export',
  'notifications',
  'manageGroupDevices',
  'sendGatewaySettings',
  'sendRelayValues',
] as const;
export type Flag = (typeof flags)[number];

export type Permissions = Record<Resource, number> & Record<Flag, boolean>;

function fill(level: number, flag: (name: Flag) => boolean): Permissions {
  return Object.fromEntries([
    ...resources.map((name) => [name, level]),
    ...flags.map((name) => [name, flag(name)]),
  ]) as Permissions;
}

/**
 * Rights as they were stored, by whichever release: what it did not know yet is not given, what is no right any more is
 * dropped, and so is what is no right's value. Every reading of stored rights goes through it.
 */
export function toPermissions(stored: unknown): Permissions {
  const given: Partial<Record<string, unknown>> = typeof stored === 'object' && stored !== null ? stored : {};
  const mostLevels = levels.All | levels.Account;
  const levelOf = (value: unknown) => (Number.isInteger(value) ? Number(value) & mostLevels : levels.None);
  return Object.fromEntries([
    ...resources.map((name) => [name, levelOf(given[name])]),
    ...flags.map((name) => [name, given[name] === true]),
  ]) as Permissions;
}

const readOnlyFlags: readonly Flag[] = ['dashboard', 'sprinklersStatus', 'notifications'];

/** The four presets of the specification and the templates they belong to (1 Custom starts from none). */
export const presets = {
  farmManager: fill(levels.All, () => true),
  agent: { ...fill(levels.All, () => true), farms: levels.Read },
  guest: fill(levels.Read, (name) => readOnlyFlags.includes(name)),
  none: fill(levels.None, () => false),
} as const satisfies Record<string, Permissions>;

export const templates = { Custom: 1, FarmManager: 2, Agent: 3, Guest: 4 } as const;

/** The owner has everything, and the right to let agents make farms in the account. */
export const ownerPermissions: Permissions = {
  ...presets.farmManager,
  farms: levels.All | levels.Account,
};

/** What the operator's support staff may see on every farm; more only in a session that the owner is told of. */
export const staffPermissions: Permissions = fill(levels.Read, (name) =>
  ['dashboard', 'sprinklersStatus'].includes(name),
);

export type Right = { flag: Flag } | { resource: Resource; level: Level };

/** What an endpoint or a screen needs. Absent rights never pass: closed by default. */
export type Need =
  | { public: true }
  | { login: true }
  /** A farm owner; `paying`: whose subscription has not ended. */
  | { subscriber: true; paying?: true }
  /** The operator's support staff. */
  | { staff: true }
  | { anyOf: readonly Right[] }
  | { allOf: readonly Right[] }
  /** The operator's token; no account. */
  | { operator: true };

export const can = (resource: Resource, level: Level): Right => ({ resource, level });
export const flag = (name: Flag): Right => ({ flag: name });

export function hasRight(permissions: Permissions, right: Right): boolean {
  return 'flag' in right
    ? permissions[right.flag]
    : (permissions[right.resource] & levels[right.level]) !== 0;
}

/** What one may who has both. */
export function eitherOf(one: Permissions, other: Permissions): Permissions {
  return Object.fromEntries([
    ...resources.map((name) => [name, one[name] | other[name]]),
    ...flags.map((name) => [name, one[name] || other[name]]),
  ]) as Permissions;
}

/** Whether who has the others may do all that these allow. */
export const isWithin = (these: Permissions, others: Permissions): boolean =>
  resources.every((name) => (these[name] & ~others[name]) === 0) &&
  flags.every((name) => !these[name] || others[name]);

/** Whether someone with these permissions on a farm meets a farm-scoped need. */
export function meets(permissions: Permissions, need: Need): boolean {
  if ('anyOf' in need) return need.anyOf.some((right) => hasRight(permissions, right));
  if ('allOf' in need) return need.allOf.every((right) => hasRight(permissions, right));
  return 'public' in need || 'login' in need;
}

/** The needs that screens share with endpoints. */
export const needs = {
  nothing: { public: true },
  login: { login: true },
  operator: { operator: true },
  subscriber: { subscriber: true },
  payingSubscriber: { subscriber: true, paying: true },
  staff: { staff: true },
  readFarm: { anyOf: [can('farms', 'Read')] },
  readSomething: {
    anyOf: [...resources.map((name) => can(name, 'Read')), flag('dashboard'), flag('sprinklersStatus')],
  },
  readCommands: { anyOf: [can('irrigationDevices', 'Read'), flag('dashboard'), flag('sprinklersStatus')] },
  dashboard: { anyOf: [flag('dashboard')] },
  countSprinklers: { anyOf: [flag('dashboard'), flag('sprinklersStatus')] },
  tankSummary: { anyOf: [flag('dashboard'), can('sensors', 'Read')] },
  tankMap: { anyOf: [flag('sprinklersStatus')] },
  groupMap: { anyOf: [flag('sprinklersStatus')] },
  /** To be told of a farm's alerts. */
  hearAlerts: { anyOf: [flag('notifications')] },
  walkList: { anyOf: [can('irrigationDevices', 'Read'), flag('sprinklersStatus')] },
  tankSite: { anyOf: [flag('dashboard'), flag('sprinklersStatus'), can('sensors', 'Read')] },
  /** What is told apart by a MAC, except gateways. */
  createRadios: {
    anyOf: [can('irrigationDevices', 'Create'), can('repeaters', 'Create'), can('sensors', 'Create')],
  },
  readSensors: { anyOf: [can('sensors', 'Read')] },
  createSensors: { anyOf: [can('sensors', 'Create')] },
  editSensors: { anyOf: [can('sensors', 'Edit')] },
  readGateways: { anyOf: [can('gateways', 'Read')] },
  editGateways: { anyOf: [can('gateways', 'Edit')] },
  createGateways: { anyOf: [can('gateways', 'Create')] },
  /** What gateways and sensors said and was not taken, and to have it tried again. */
  readLetters: { anyOf: [can('gateways', 'Read'), can('sensors', 'Read')] },
  replayLetters: { anyOf: [can('gateways', 'Edit'), can('sensors', 'Edit')] },
  deleteGateways: { anyOf: [can('gateways', 'Delete')] },
} as const satisfies Record<string, Need>;
