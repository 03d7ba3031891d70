/**
 * The folders of src, from the top: each imports only from lines below its own, and folders of one line know nothing of each other.
 * `features` are ordered among themselves by `featureImports`.
 */
export const layers: readonly (readonly string[])[] = [
  ['main.tsx'],
  /** The router, the frame around pages, and what happens once for all of them. */
  ['app'],
  /** A folder for each subject. */
  ['features'],
  /** What is asked of a farm's devices, what they are called and how each stands; which days a chart shows. */
  ['device-records', 'time-range'],
  /** What somebody may do on a farm, and the pages that say no. */
  ['access'],
  /** The farms, and the one that the screens are about. */
  ['farm'],
  /** What a person chose, and what the installation set. */
  ['preferences'],
  /** Who is signed in. */
  ['session'],
  ['forms', 'map', 'charts'],
  ['ui'],
  ['api'],
];

/**
 * Of which others a feature may know. What is needed by many belongs to a layer below instead; what a page only puts beside its own
 * is passed in from `app`. Whoever adds a line here says that the one can't be without the other.
 */
export const featureImports: Readonly<Record<string, readonly string[]>> = {
  // A command that ended badly is marked as seen.
  attention: ['commands'],
  // Pages that gather what others draw.
  dashboard: [
    'attention',
    'commands',
    'flow',
    'gateway-io',
    'gateways',
    'group-map',
    'headlines',
    'insights',
    'irr-diary',
    'soil-moisture',
    'sprinkler-cards',
    'tanks',
  ],
  'sprinkler-cards': ['commands', 'group-map', 'irr-diary', 'reports'],
  'irr-diary': ['reports'],
  // What a file brought can be undone, and what gateways don't know of it yet is sent to them.
  files: ['changes', 'devices'],
  farms: ['attention', 'changes', 'files', 'group-map', 'groups', 'placing', 'sharing', 'tanks'],
  'group-map': [
    'changes',
    'commands',
    'devices',
    'files',
    'gateways',
    'holds',
    'insights',
    'placing',
    'pois',
    'repeaters',
    'reports',
    'sprinkler-dialog',
    'tanks',
  ],
  // All there is to know of one sprinkler, and what can be sent to it.
  'sprinkler-dialog': ['changes', 'commands', 'devices', 'replace-sprinkler'],
  // Its spares are asked about as where they are taken into service.
  'replace-sprinkler': ['commands', 'devices', 'irrigation-devices'],
  // Facts that are drawn from another's readings.
  headlines: ['flow', 'soil-moisture', 'tanks'],
  tanks: ['attention', 'devices', 'gateways', 'insights'],
  flow: ['insights'],
  'soil-moisture': ['insights'],
  // Kinds of device: the lists, forms and history that all kinds share, and their place among the others.
  devices: ['changes', 'commands', 'registry'],
  placing: ['changes', 'tanks'],
  'gateway-devices': ['dead-letters', 'devices', 'gateways', 'group-map', 'placing', 'tanks'],
  'irrigation-devices': ['changes', 'devices', 'placing', 'registry'],
  pois: ['devices', 'placing'],
  repeaters: ['devices', 'placing'],
  sensors: ['codecs', 'dead-letters', 'devices', 'placing'],
  groups: ['changes', 'commands', 'devices', 'holds'],
  // A template's sprinklers are opened from its table, with the farm's devices as the map has them.
  schedules: ['changes', 'commands', 'group-map', 'sprinkler-dialog'],
  // A valve that is open is closed from where that is told; who changed an alert stands over its form.
  alerts: ['changes', 'commands'],
  // What was computed, sent from there, saved as a file and read from one; a programme is told as in a sprinkler's dialog.
  'schedule-sets': ['changes', 'commands', 'files', 'schedules', 'sprinkler-dialog'],
  // What sprinklers will do, with what was sent to make them; a sprinkler's card acts as its dialog does.
  'schedule-view': [
    'changes',
    'commands',
    'group-map',
    'holds',
    'irr-diary',
    'schedule-sets',
    'schedules',
    'sprinkler-dialog',
  ],
  // What a unit kept when its battery was changed is asked as in its dialog.
  'walk-list': ['sprinkler-dialog'],
  // What is sent to a gateway, and what became of it.
  gateways: ['commands'],
  'gateway-io': ['changes', 'commands', 'gateways'],
  // People: sign-in's fields, the terms that one agrees to, and the farm that one begins with.
  accounts: ['notifications'],
  registration: ['accounts', 'farms', 'legal'],
  settings: ['notifications'],
  sharing: ['accounts'],
  support: ['sharing'],
  tlm: ['accounts', 'devices'],
};
