import type { UnitField } from '@headrace/contract/rules/files/file-units';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { serialKeyOf } from './match-units.ts';
import type { PlanRow } from './plan-import.ts';
import { ofRow, type UnitFault } from './unit-fault.ts';

interface Claim {
  readonly field: UnitField | null;
  readonly what: string;
  readonly key: string;
}

/** What a row makes its unit's own: of all rows that are done, one has it. */
function claimsOf({ device, values }: PlanRow): Claim[] {
  if (!values) return [];
  const { serialNumber, macAddress } = values;
  const mac: Claim = { field: 'macAddress', what: 'MAC address', key: `mac ${macAddress}` };
  return [
    ...(device ? [{ field: null, what: 'unit', key: `id ${device.id}` }] : []),
    { field: 'serialNumber', what: 'serial number', key: `serial ${serialKeyOf(serialNumber)}` },
    ...(macAddress === '' ? [] : [mac]),
  ];
}

interface Twin extends Claim {
  /** The row before it that has this already. */
  readonly first: PlanRow;
}

/**
 * Rows about one unit, or that would make two of one. The first of them is done; one that says otherwise can be ticked in its place.
 * `leaveOut`: that row, with why.
 */
export async function planTwins(
  rows: readonly PlanRow[],
  leaveOut: (index: number, fault: UnitFault) => PlanRow,
): Promise<PlanRow[]> {
  const twins = await twinsIn(rows);
  // Units that get what others have: which of two rows is done would decide about a third.
  const swapping = new Set(
    rows.flatMap((row) => (twins.has(row) ? [] : Object.values(row.held).map(({ id }) => id))),
  );
  return mapInTurns(rows.entries(), ([index, row]) => {
    const claims = claimsOf(row).map(({ key }) => key);
    const twin = twins.get(row);
    if (!twin) return claims.length > 0 ? { ...row, claims } : row;
    const { field, what, first } = twin;
    const about = `Line ${first.line} is about the same ${what}`;
    if (saysTheSame(row, first)) return leaveOut(index, ofRow(`Line ${first.line} says the same.`));
    if (row.fields.length === 0)
      return leaveOut(index, { field, text: `${about}. Untick that one to leave the unit as it is.` });
    const isOfSwap = Object.keys(row.held).length > 0 || swapping.has(row.device?.id ?? 0);
    if (isOfSwap) return leaveOut(index, { field, text: `${about}. Take one of them out.` });
    const { why } = leaveOut(index, { field, text: `${about}. Tick this one to have it instead.` });
    return {
      ...row,
      action: 'choose',
      why: [row.why, why].filter(Boolean).join(' '),
      claims,
      isInstead: true,
    };
  });
}

/** Each row that has something of a row before it, which is no such row itself. */
async function twinsIn(rows: readonly PlanRow[]): Promise<Map<PlanRow, Twin>> {
  const owners = new Map<string, PlanRow>();
  const twins = new Map<PlanRow, Twin>();
  await mapInTurns(rows, (row) => {
    const claims = claimsOf(row);
    const found = claims.flatMap((claim) => {
      const first = owners.get(claim.key);
      return first ? [{ ...claim, first }] : [];
    });
    const [twin] = found;
    if (twin) twins.set(row, twin);
    else for (const { key } of claims) owners.set(key, row);
  });
  return twins;
}

const saysTheSame = (one: PlanRow, other: PlanRow): boolean =>
  one.kind === other.kind &&
  one.device === other.device &&
  JSON.stringify(one.values) === JSON.stringify(other.values);
