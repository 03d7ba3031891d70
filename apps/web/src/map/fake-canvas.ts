import { vi } from 'vitest';

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
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  // Constructed with `new`: what the function returns stands for the shape.
  const shape = new Proxy({}, { get: () => () => undefined });
  const construct = function construct() {
    return shape;
  };
  vi.stubGlobal('Path2D', construct);
  vi.stubGlobal('DOMMatrix', construct);
}
