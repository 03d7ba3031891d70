import type { UnitField } from '@headrace/contract/rules/files/file-units';
import { serialKeyOf } from './match-units.ts';
import type { PlanRow } from './plan-import.ts';
import type { UnitFault } from './unit-fault.ts';

/** Two rows about one unit, or that would make two of one: the second is left out. */
export class RowClaims {
  private readonly lines = new Map<string, number>();

  claim({ line, device, values }: PlanRow): UnitFault | null {
    if (!values) return null;
    const keys: (readonly [UnitField | null, what: string, key: string])[] = [
      ...(device ? [[null, 'unit', `id ${device.id}`] as const] : []),
      ['serialNumber', 'serial number', `serial ${serialKeyOf(values.serialNumber)}`],
      ...(values.macAddress === ''
        ? []
        : [['macAddress', 'MAC address', `mac ${values.macAddress}`] as const]),
    ];
    for (const [field, what, key] of keys) {
      const before = this.lines.get(key);
      if (before !== undefined)
        return { field, text: `Line ${before} is about the same ${what}. Take one of them out.` };
    }
    for (const [, , key] of keys) this.lines.set(key, line);
    return null;
  }
}
