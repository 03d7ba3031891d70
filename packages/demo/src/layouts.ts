import type { DeviceMaker, Place } from './devices.ts';
import type { SprinklerModel, SprinklerProfile } from './profile.ts';
import type { Random } from './random.ts';

type Common = { make: DeviceMaker; random: Random; radio: { farmId: string; channel: number } };

/** Most units are well: the odd one is weak, slow, silent or out of step, at most one fault each. */
export function sprinklerModel(
  random: Random,
  hops: number,
  fault: SprinklerModel['fault'] = 'none',
): SprinklerModel {
  return {
    hops,
    driftSecondsPerDay: Math.round(random.normal() * 40) / 10,
    startCharge: fault === 'weak-battery' ? random.whole(22, 34) : random.whole(78, 99),
    fault,
  };
}

export type KLine = {
  name: string;
  start: Place;
  bearing: Place;
  faults?: Record<number, SprinklerModel['fault']>;
  /** A pod that is out of service. */
  out?: number;
};

/** Towed strings of pods: `pods` along a bearing, `spacing` metres apart, named A01, A02… */
export function kLines(
  of: Common & { lines: KLine[]; pods: number; spacing: number; gatewayMac: string },
): SprinklerProfile[] {
  return of.lines.flatMap((line, lineIndex) =>
    Array.from({ length: of.pods }, (_, pod) => {
      const step = pod * of.spacing;
      const place: Place = [line.start[0] + line.bearing[0] * step, line.start[1] + line.bearing[1] * step];
      return of.make.sprinkler(place, {
        name: `${line.name}${String(pod + 1).padStart(2, '0')}`,
        description: `Line ${line.name}, pod ${pod + 1}`,
        group: `Line ${line.name}`,
        isOutOfService: line.out === pod + 1,
        gatewayMac: of.gatewayMac,
        ...of.radio,
        model: sprinklerModel(of.random, 1 + Math.floor(lineIndex / 2), line.faults?.[pod + 1] ?? 'none'),
      });
    }),
  );
}

/** Rows A, B, … Z, AA, AB…: two letters and two digits are enough for 60,000 units in five characters. */
export function rowName(row: number): string {
  const letter = (index: number) => String.fromCharCode(65 + (index % 26));
  return row < 26 ? letter(row) : `${letter(Math.floor(row / 26) - 1)}${letter(row)}`;
}

export type SolidSet = Common & {
  count: number;
  columns: number;
  /** Metres between columns and between rows. */
  spacing: Place;
  /** South-west corner. */
  corner: Place;
  /** Units of a group, columns by rows. */
  block: readonly [columns: number, rows: number];
  gatewayMacs: readonly string[];
  faults: readonly SprinklerModel['fault'][];
  /** Names of units that are heard over a repeater that is down. */
  cutOff?: readonly string[];
};

/** Sprinklers that stay put on buried lines, in blocks that water together. Faults are dealt over the farm. */
export function solidSet(of: SolidSet): SprinklerProfile[] {
  const faultEvery = Math.floor(of.count / (of.faults.length + 1));
  const blocksAcross = Math.ceil(of.columns / of.block[0]);
  return Array.from({ length: of.count }, (_, index) => {
    const column = index % of.columns;
    const row = Math.floor(index / of.columns);
    const block = Math.floor(row / of.block[1]) * blocksAcross + Math.floor(column / of.block[0]);
    const dealt = index > 0 && index % faultEvery === 0 ? of.faults[index / faultEvery - 1] : undefined;
    const name = `${rowName(row)}${String(column + 1).padStart(2, '0')}`;
    const fault = of.cutOff?.includes(name) ? 'cut-off' : dealt;
    return of.make.sprinkler([of.corner[0] + column * of.spacing[0], of.corner[1] + row * of.spacing[1]], {
      name,
      description: `Block ${block + 1}, row ${rowName(row)}`,
      group: `Block ${block + 1}`,
      gatewayMac: of.gatewayMacs[block % of.gatewayMacs.length] ?? '',
      ...of.radio,
      model: sprinklerModel(of.random, 1 + (block % 4), fault ?? 'none'),
    });
  });
}

export function groupNames(sprinklers: readonly SprinklerProfile[]): string[] {
  return [...new Set(sprinklers.map((sprinkler) => sprinkler.group))];
}
