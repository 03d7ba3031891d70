import type { SqlClient } from '../../db/sql-client.ts';
import { stoppedOtherwise, undoStops } from '../programmes/stop-writer.ts';
import type { NewUnit } from './commands.repo.ts';
import type { Newcomer } from './superseded.ts';

/** All that were to water again must not by now. */
export class NobodyLeft extends Error {}

export function nobodyIsNull(error: unknown): null {
  if (error instanceof NobodyLeft) return null;
  throw error;
}

/**
 * Of a hold's end, or of an Inhibit that is undone, those that nothing else keeps from watering by now; of others all. Wants
 * `lockStops`. Throws NobodyLeft.
 */
export async function mayBeReleased(client: SqlClient, units: readonly NewUnit[], newcomer: Newcomer) {
  const isLeft = await leftOf(client, newcomer);
  if (!isLeft) return { units, newcomer };
  const { deviceIds, lifts } = newcomer;
  const left = units.filter(({ deviceId }) => isLeft(deviceId));
  if (left.length === 0) throw new NobodyLeft();
  const only = { deviceIds: deviceIds.filter(isLeft), lifts: new Set([...lifts].filter(isLeft)) };
  return { units: left, newcomer: { ...newcomer, ...only } };
}

async function leftOf(
  client: SqlClient,
  { farmId, deviceIds, isRelease, undoes: commandId }: Newcomer,
): Promise<((deviceId: number) => boolean) | null> {
  if (commandId !== undefined) {
    const keys = deviceIds.map((deviceId) => ({ farmId, commandId, deviceId }));
    const left = new Set(await undoStops(client, farmId, keys));
    return (deviceId) => left.has(deviceId);
  }
  if (!isRelease) return null;
  const stopped = await stoppedOtherwise(client, farmId, deviceIds);
  return (deviceId) => !stopped.has(deviceId);
}
