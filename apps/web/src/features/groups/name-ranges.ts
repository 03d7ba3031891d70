import { foldText } from '../../ui/fold-text.ts';

interface Named {
  readonly _id: string;
  readonly name: string;
}

export interface RangesFound {
  readonly ids: readonly string[];
  /** What was written and names no device. */
  readonly unknown: readonly string[];
}

const numbered = /^(.*?)(\d+)$/;

/** Devices by their names as people list them: "A1-A20, B3". In a range are numbers behind the same letters, both ends too. */
export function devicesInRanges(text: string, devices: readonly Named[]): RangesFound {
  const parts = text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const ids = new Set<string>();
  const unknown: string[] = [];
  for (const part of parts) {
    const found = devices.filter(matcherOf(part));
    if (found.length === 0) unknown.push(part);
    for (const { _id } of found) ids.add(_id);
  }
  return { ids: [...ids], unknown };
}

function matcherOf(part: string): (device: Named) => boolean {
  const whole = foldText(part);
  const isWhole = ({ name }: Named) => foldText(name) === whole;
  const range = rangeOf(whole);
  if (!range) return isWhole;
  const { letters, from, to } = range;
  return (device) => {
    const [, own, number] = numbered.exec(foldText(device.name)) ?? [];
    const isBetween = own === letters && Number(number) >= from && Number(number) <= to;
    return isBetween || isWhole(device);
  };
}

/** "a1-a20" and "a1-20" are the same. */
function rangeOf(text: string): { letters: string; from: number; to: number } | null {
  const [, first = '', last = ''] = /^(.+?)\s*[-–]\s*([^-–]+)$/.exec(text) ?? [];
  const [, letters, from] = numbered.exec(first) ?? [];
  const [, lastLetters, to] = numbered.exec(last) ?? [];
  if (letters === undefined || (lastLetters !== letters && lastLetters !== '')) return null;
  return { letters, from: Math.min(Number(from), Number(to)), to: Math.max(Number(from), Number(to)) };
}
