import { useCallback, useEffect, useState } from 'react';
import { validateDevice, SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import { nextName, nextPlace } from '@headrace/contract/rules/next-in-line';
import type { CellFault, PlannedRow } from '@headrace/contract/rules/files/sprinkler-rows';
import type { LatLng } from '@headrace/contract/schemas';
import { forgetDraft, readDraft, storeDraft } from '../../../forms/drafts.ts';

/** A sprinkler that was placed and isn't saved yet. */
export interface PlacedUnit {
  readonly key: number;
  readonly name: string;
  readonly serialNumber: string;
  readonly macAddress: string;
  readonly place: LatLng;
}
export type PlacedChange = Partial<Omit<PlacedUnit, 'key'>>;

interface Kept {
  units: readonly PlacedUnit[];
}
const none: Kept = { units: [] };

/** Sprinklers that are placed one after the other, kept in this tab until they are saved. `taken`: names on the farm. */
export function usePlaced(farmUID: string, taken: readonly string[]) {
  const draftKey = `sprinkler.place.${farmUID}`;
  const [units, setUnits] = useState(() => readDraft(draftKey, none)?.values.units ?? none.units);
  useEffect(() => {
    if (units.length > 0) storeDraft(draftKey, { at: Date.now(), values: { units }, base: none });
    else forgetDraft(draftKey);
  }, [draftKey, units]);
  const change = useCallback(
    (key: number, to: PlacedChange) =>
      setUnits((before) => before.map((unit) => (unit.key === key ? { ...unit, ...to } : unit))),
    [],
  );
  const remove = useCallback(
    (keys: readonly number[]) => setUnits((before) => before.filter(({ key }) => !keys.includes(key))),
    [],
  );
  const last = units.at(-1);
  const name = nameAfter(last, new Set([...taken, ...units.map((unit) => unit.name)]));
  return {
    units,
    nextName: name,
    nextPlace: nextPlace(units.at(-2)?.place, last?.place),
    add: (place: LatLng) =>
      setUnits([...units, { key: (last?.key ?? 0) + 1, name, serialNumber: '', macAddress: '', place }]),
    change,
    remove,
  };
}

/** A farm begins with A1; else the row is carried on. */
function nameAfter(last: PlacedUnit | undefined, taken: ReadonlySet<string>): string {
  if (last) return nextName(last.name, SHORT_NAME_MAX, taken);
  return nextName('A0', SHORT_NAME_MAX, taken);
}

/** As a row, with what is wrong by the form's rules; its MAC may still be found by its serial number. */
export function rowOf({ name, serialNumber, macAddress, place }: PlacedUnit, index: number): PlannedRow {
  const entry = {
    name: name.trim(),
    serialNumber: serialNumber.trim(),
    macAddress: macAddress.trim(),
    ...place,
  };
  const isToBeFound = entry.macAddress === '' && entry.serialNumber !== '';
  const fieldErrors = validateDevice('sprinkler', {
    ...entry,
    ...(isToBeFound && { macAddress: '0004A3000001' }),
  });
  const faults = Object.entries(fieldErrors).map(([column, text]) => ({ column, text }) as CellFault);
  return { row: index + 1, entry, faults, notes: [] };
}
