import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLastHeight } from './use-last-height.ts';

type Tell = (entries: { borderBoxSize: { blockSize: number }[] }[]) => void;
let tell: Tell = () => undefined;

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onChange: Tell) {
        tell = onChange;
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

function Place({ isWhole, name = 'line' }: { isWhole: boolean; name?: string }) {
  const { ref, minHeight } = useLastHeight(name, isWhole);
  return (
    <div ref={ref} data-testid="place">
      {minHeight ?? 'free'}
    </div>
  );
}
const inWindow = (width: number) => vi.stubGlobal('innerWidth', width);
const shown = () => screen.getByTestId('place').textContent;
const grown = (height: number) => act(() => tell([{ borderBoxSize: [{ blockSize: height }] }]));

test('a place is kept as high as it was when it was whole, in a window of the same width', () => {
  inWindow(412);
  const { rerender, unmount } = render(<Place isWhole={false} />);
  expect(shown()).toBe('free');
  rerender(<Place isWhole />);
  grown(139.4);
  unmount();

  const again = render(<Place isWhole={false} />);
  expect(shown()).toBe('139');
  again.rerender(<Place isWhole />);
  expect(shown()).toBe('free');
  again.unmount();

  inWindow(823);
  const turned = render(<Place isWhole={false} />);
  expect(shown()).toBe('free');
  turned.rerender(<Place isWhole />);
  grown(52);
  turned.unmount();
  inWindow(412);
  render(<Place isWhole={false} />);
  expect(shown()).toBe('139');
});

test.each(['no heights', 'null', '{"width":412,"height":139}'])(
  'what is kept under its name and is not its own is left alone: %s',
  (kept) => {
    localStorage.setItem('headrace.height.line', kept);
    render(<Place isWhole={false} />);
    expect(shown()).toBe('free');
  },
);

test('a place that is another one now has the height of that one', () => {
  inWindow(412);
  localStorage.setItem('headrace.height.line', '[[412,139]]');
  localStorage.setItem('headrace.height.other', '[[412,52]]');
  const { rerender } = render(<Place isWhole={false} />);
  expect(shown()).toBe('139');
  rerender(<Place isWhole={false} name="other" />);
  expect(shown()).toBe('52');
});
