import type { IpcStatus } from '@headrace/contract/groups';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';

type Unit = Pick<IpcStatus, 'belief'>;

/** It said that it is open, and was to close later than now; past that its closing may have been lost. */
export const isSurelyOpen = ({ belief }: Unit, now: number): boolean =>
  belief?.state === 'open' && belief.basis !== 'planned' && (belief.until === null || belief.until > now);

/** Who surely is open gives its water; who isn't known to be closed may. */
export function openAmong<One extends Unit>(
  units: readonly One[],
  now: number,
): { open: One[]; mayBe: One[] } {
  const open = units.filter((unit) => isSurelyOpen(unit, now));
  const mayBe = units.filter(
    (unit) => !isSurelyOpen(unit, now) && unit.belief !== null && isTakenAsOpen(unit.belief),
  );
  return { open, mayBe };
}
