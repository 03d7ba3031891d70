import { createHash } from 'node:crypto';
import { mapInTurns } from '../../jobs/in-turns.ts';
import type { PlanItem } from './plan-items.ts';

/**
 * Alike for plans that do the same. Not all that a plan rests on is a change of the farm: a command goes out, another farm takes a MAC.
 * What was shown is what happens.
 */
export async function planDigest(items: readonly PlanItem[]): Promise<string> {
  const hash = createHash('sha256');
  await mapInTurns(items, ({ row: { line, action, fields, others, stay, together, apart } }) =>
    hash.update(JSON.stringify([line, action, fields, others, stay, together, apart])),
  );
  return hash.digest('base64url').slice(0, 22);
}
