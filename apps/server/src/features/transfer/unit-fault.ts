import { type FileUnit, shown, type UnitField } from '@headrace/contract/rules/files/file-units';

/** What is wrong with a unit of a file, by the rules of the farm. */
export interface UnitFault {
  /** Whose value it is about; null: the row as a whole. */
  readonly field: UnitField | null;
  /** A sentence, with what to do. */
  readonly text: string;
}

export const ofRow = (text: string): UnitFault => ({ field: null, text });
export const ofField = (field: UnitField, text: string): UnitFault => ({ field, text });

/** With its place and what stands there: "Row 5, column name, 'Trough4': Name can have at most 5 characters." */
export function placedText(unit: FileUnit, { field, text }: UnitFault): string {
  const row = unit.at?.row ?? `Line ${unit.line}`;
  const place = field === null ? undefined : unit.at?.[field];
  const value = field === null ? undefined : unit[field];
  if (place === undefined || value === undefined) return `${row}: ${text}`;
  return `${place}, '${shown(String(value))}': ${text}`;
}
