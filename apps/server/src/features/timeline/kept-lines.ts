import type { UnitTurns } from './present-timeline.ts';
import { type Around, byLine, drawLine, type LineDrawing } from './timeline-lines.ts';

/** A sprinkler's turns, and until when they hold (epoch ms). */
export interface SteadyTurns extends UnitTurns {
  readonly until: number;
  /** The same object as long as its line is drawn with the same. */
  readonly mark: object;
}

interface Kept {
  readonly marks: readonly object[];
  readonly around: string;
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
  readonly drawing: LineDrawing;
}

/** All lines together: while none is drawn otherwise, they need not be gathered. */
interface AllKept extends Omit<Kept, 'drawing'> {
  readonly drawings: readonly LineDrawing[];
}

/** Lines of one time as they were drawn, kept for as long as their sprinklers and all else that they are drawn with stay the same. */
export function createKeptLines() {
  let kept = new Map<string, Kept>();
  let last: AllKept | null = null;

  return (units: readonly SteadyTurns[], around: Around): readonly LineDrawing[] => {
    const { now } = around.shown;
    const rest = JSON.stringify([around.mains, [...around.groupNames]]);
    if (last?.around === rest && last.from <= now && now < last.until && isOf(last, units))
      return last.drawings;
    const next = new Map<string, Kept>();
    for (const [name, ofLine] of byLine(units)) {
      const before = kept.get(name);
      const isSame =
        before?.around === rest && before.from <= now && now < before.until && isOf(before, ofLine);
      next.set(name, isSame ? before : drawn(name, ofLine, around, rest));
    }
    kept = next;
    const drawings = [...next.values()].map(({ drawing }) => drawing);
    const until = [...next.values()].reduce((least, line) => Math.min(least, line.until), Infinity);
    last = { marks: units.map(({ mark }) => mark), around: rest, from: now, until, drawings };
    return drawings;
  };
}
export type KeptLines = ReturnType<typeof createKeptLines>;

const isOf = ({ marks }: Pick<Kept, 'marks'>, units: readonly SteadyTurns[]): boolean =>
  marks.length === units.length && marks.every((mark, nth) => mark === units[nth]?.mark);

function drawn(name: string, units: readonly SteadyTurns[], around: Around, rest: string): Kept {
  const { now: from } = around.shown;
  const drawing = drawLine(name, units, around);
  // When two schedules meet is looked for from now on, whenever that is.
  const isSteady = drawing.line.mixed === null;
  const until = isSteady ? units.reduce((least, unit) => Math.min(least, unit.until), Infinity) : from;
  return { marks: units.map(({ mark }) => mark), around: rest, from, until, drawing };
}
