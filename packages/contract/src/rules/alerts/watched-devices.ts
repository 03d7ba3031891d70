import { meterTypes, sensorTypes, tankTypes } from '../../sensor-types.ts';
import { type AlertKind, alertKindInfo, type WatchedDevice } from './alert-kinds.ts';

/** What a device is to alerts, the most exact first. */
export function watchedKinds({ kind, type }: { kind: string; type: number }): readonly WatchedDevice[] {
  if (kind === 'gateway' || kind === 'sprinkler' || kind === 'repeater') return [kind];
  if (kind !== 'sensor') return [];
  if (tankTypes.includes(type)) return ['tank', 'sensor'];
  if (type === sensorTypes.SOIL_MOISTURE) return ['soil', 'sensor'];
  if (meterTypes.includes(type)) return ['meter', 'sensor'];
  return type === sensorTypes.SWITCH ? ['switch', 'sensor'] : ['sensor'];
}

/** Whether an alert of this kind can watch it; `watch`: of this kind of device alone. */
export function canWatch(
  kind: AlertKind,
  watch: WatchedDevice | null,
  device: { kind: string; type: number },
): boolean {
  const { watches } = alertKindInfo[kind];
  return watchedKinds(device).some((one) => watches.includes(one) && (watch === null || watch === one));
}
