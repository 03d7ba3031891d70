import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import { serialHolders, takenText } from '../devices/serial-numbers.ts';
import { macHolders, TAKEN_MAC_TEXT } from '../devices/taken-macs.ts';

/** What keeps a row from being added: rows count from 0, sentences are for people. */
export interface RowFault {
  readonly row: number;
  readonly field: string;
  readonly text: string;
}

interface Row {
  readonly serialNumber: string;
  readonly macAddress: string;
}

/**
 * Rows whose serial number or MAC another row or another device has. In the transaction that adds them it stays true to its
 * end. Another farm's device isn't named.
 */
export async function rowFaults(trx: Db, farmId: number, rows: readonly Row[]): Promise<RowFault[]> {
  const serials = rows.map(({ serialNumber }) => serialNumber.replaceAll(/\s/g, '').toLowerCase());
  const macs = rows.map(({ macAddress }) => normaliseMac(macAddress) ?? '');
  const units = rows.map(({ serialNumber }) => ({
    id: 0,
    kind: 'sprinkler' as const,
    serial_number: serialNumber,
    settings: {},
  }));
  const holders = await serialHolders(trx, farmId, units);
  const taken = await macHolders(trx, [...new Set(macs.filter(Boolean))]);
  const holderOf = new Map(taken.map((holder) => [holder.mac, holder]));
  const faults = [
    ...twice(serials, 'serialNumber'),
    ...twice(macs, 'macAddress'),
    ...holders.map((holder) => ({ row: holder.row, field: 'serialNumber', text: takenText(holder) })),
    ...macs.flatMap((mac, row) => {
      const holder = holderOf.get(mac);
      if (!holder) return [];
      const text =
        holder.farm_id === farmId
          ? `This MAC address is in use on this farm as ${holder.name}.`
          : TAKEN_MAC_TEXT;
      return [{ row, field: 'macAddress', text }];
    }),
  ];
  return faults.toSorted((one, other) => one.row - other.row);
}

/** Every row that has what an earlier one has. */
function twice(values: readonly string[], field: string): RowFault[] {
  const first = new Map<string, number>();
  return values.flatMap((value, row) => {
    const before = first.get(value);
    if (value === '' || before === undefined) {
      first.set(value, row);
      return [];
    }
    return [{ row, field, text: `Row ${before + 1} has the same.` }];
  });
}
