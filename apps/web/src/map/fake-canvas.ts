import { vi } from 'vitest';

const { getContext } = HTMLCanvasElement.prototype;

/** After the page is taken away: what it was about to draw still finds the stand-in until then. */
export const restoreCanvas = (): void => {
  HTMLCanvasElement.prototype.getContext = getContext;
};

/** What the tests' browser lacks: a canvas that takes every order and draws nothing. */
export function stubCanvas(): void {
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, name: string) => {
        if (name === 'measureText') return (text: string) => ({ width: text.length * 7 });
        return name in target ? target[name] : () => undefined;
      },
      set: (target, name: string, value) => {
        target[name] = value;
        return true;
      },
    },
  );
  HTMLCanvasElement.prototype.getContext = () => context as never;
  // Constructed with `new`: what the function returns stands for the shape.
  const shape = new Proxy({}, { get: () => () => undefined });
  const construct = function construct() {
    return shape;
  };
  vi.stubGlobal('Path2D', construct);
  vi.stubGlobal('DOMMatrix', construct);
}

/** An outline that was stroked: its arcs in px, where its curves end, and the width of the stroke. */
export interface Outline {
  readonly arcs: readonly { x: number; y: number; radius: number }[];
  readonly ends: readonly { x: number; y: number }[];
  readonly lineWidth: number;
}

class FakePath {
  arcs: { x: number; y: number; radius: number }[] = [];
  ends: { x: number; y: number }[] = [];

  arc(x: number, y: number, radius: number): void {
    this.arcs.push({ x, y, radius });
  }
  quadraticCurveTo(_x: number, _y: number, x: number, y: number): void {
    this.ends.push({ x, y });
  }
  closePath(): void {}
  /** Shapes in words are taken and not read. */
  addPath(): void {}
}

/** As `stubCanvas`, and tells of each outline that is stroked from now on. */
export function recordOutlines(): readonly Outline[] {
  stubCanvas();
  const outlines: Outline[] = [];
  let open = new FakePath();
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('The stand-in canvas has no context.');
  Object.assign(context, {
    beginPath: () => {
      open = new FakePath();
    },
    arc: (x: number, y: number, radius: number) => open.arc(x, y, radius),
    quadraticCurveTo: (...at: [number, number, number, number]) => open.quadraticCurveTo(...at),
    stroke: ({ arcs, ends }: FakePath = open) => outlines.push({ arcs, ends, lineWidth: context.lineWidth }),
  });
  vi.stubGlobal('Path2D', FakePath);
  return outlines;
}
