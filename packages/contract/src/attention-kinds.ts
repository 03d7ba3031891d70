/** What can be wrong with a farm's devices, the worst first. No schema library here, so that the browser can carry it. */
export const attentionKinds = [
  'valveOverdue',
  'unplannedWatering',
  'gatewayOffline',
  'leak',
  'missedWatering',
  'failedCommand',
  'lowLevel',
  'pumpLiftsLittle',
  'outOfContact',
  'invalidValue',
  'noLevel',
  'sprinklerError',
  'lowBattery',
  'neverContacted',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];
