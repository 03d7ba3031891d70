import { vi } from 'vitest';

/** What the tests' browser lacks: a canvas that takes every order and draws nothing. */
export function stubCanvas(): void {
  const context = new Proxy({} as Record<string, unknown>, {
    get: (target, name: string) => {
      if (name === 'measureText') return (text: string) => ({ width: text.length * 7 });
      if (name === 'canvas') return undefined;
      return name in target ? target[name] : () => undefined;
    },
    set: (target, name: string, value) => {
      target[name] = value;
      return true;
    },
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  const shape = new Proxy({}, { get: () => () => undefined });
  vi.stubGlobal(
    'Path2D',
    class {
      constructor() {
        return shape;
      }
    },
  );
  vi.stubGlobal('DOMMatrix', class {});
}
