import { unitKeys, unitOfTexts } from '@headrace/contract/rules/files/unit-of-texts';

/** @typedef {import('@headrace/contract/rules/files/file-units').FileUnit} FileUnit */

/**
 * A unit of which the file says everything as text, by the keys of `unitKeys`.
 * @param {{ line: number, kind: FileUnit['kind'], texts: Readonly<Record<string, string>>, uid?: string, isSpare?: boolean }} of
 * @returns {FileUnit}
 */
export function unitOfFile({ line, kind, texts, uid, isSpare = false }) {
  /** @type {(readonly [typeof unitKeys[number], string])[]} */
  const said = unitKeys.flatMap((key) => (texts[key] ? [/** @type {const} */ ([key, texts[key]])] : []));
  const { lat, lng, ...unit } = unitOfTexts({ line, kind, values: new Map(said) });
  // Nothing stands in the sea off Africa: such a unit has no place.
  const place = lat === 0 && lng === 0 ? {} : { lat, lng };
  return { ...unit, ...place, uid, ...(isSpare && { isSpare }) };
}
