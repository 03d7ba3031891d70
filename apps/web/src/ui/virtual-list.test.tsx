import { useRef } from 'react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useRowsInSight } from './use-rows-in-sight.ts';
import { VirtualList } from './virtual-list.tsx';

const ROW_PX = 50;
const names = Array.from({ length: 5000 }, (_, n) => `Unit ${n}`);
const drawn = () => screen.getAllByRole('listitem').map((row) => row.textContent);

beforeEach(() => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(500);
  return () => height.mockRestore();
});

function open(shown?: string) {
  const list = (name?: string) => (
    <VirtualList label="Units" items={names} rowPx={ROW_PX} keyOf={(it) => it} shown={name}>
      {(name) => <button type="button">{name}</button>}
    </VirtualList>
  );
  const view = render(list(shown));
  return { show: (name: string) => view.rerender(list(name)), box: screen.getByRole('list') };
}

function scrollTo(box: HTMLElement, row: number): void {
  box.scrollTop = row * ROW_PX;
  fireEvent.scroll(box);
}

test('of 5,000 rows those in sight are drawn, with ten more at either end', () => {
  const { box } = open();
  expect(drawn()).toEqual(names.slice(0, 20));
  scrollTo(box, 1000);
  // 500 px are ten rows: 1000 to 1009.
  expect(drawn()).toEqual(names.slice(990, 1020));
  scrollTo(box, 4990);
  expect(drawn()).toEqual(names.slice(4970));
  expect(screen.getAllByRole('listitem').at(-1)?.getAttribute('aria-posinset')).toBe('5000');
});

test('a row that has the focus stays while the list is scrolled away from it, and goes when the focus does', () => {
  const { box } = open();
  const button = screen.getByRole('button', { name: 'Unit 3' });
  act(() => button.focus());
  scrollTo(box, 1000);
  expect(document.activeElement).toBe(button);
  expect(drawn()).toEqual(['Unit 3', ...names.slice(990, 1020)]);
  act(() => button.blur());
  expect(drawn()).toEqual(names.slice(990, 1020));
});

test('the focus on a row draws no row again', () => {
  const row = vi.fn((name: string) => <button type="button">{name}</button>);
  render(
    <VirtualList label="Units" items={names} rowPx={ROW_PX} keyOf={(it) => it}>
      {row}
    </VirtualList>,
  );
  row.mockClear();
  act(() => screen.getByRole('button', { name: 'Unit 3' }).focus());
  act(() => screen.getByRole('button', { name: 'Unit 5' }).focus());
  expect(row).not.toHaveBeenCalled();
});

test('a row that was scrolled away stays while the focus goes on within it', () => {
  render(
    <VirtualList label="Units" items={names} rowPx={ROW_PX} keyOf={(it) => it}>
      {(name) => (
        <>
          <button type="button">{name}</button>
          <button type="button">Poll {name}</button>
        </>
      )}
    </VirtualList>,
  );
  act(() => screen.getByRole('button', { name: 'Unit 3' }).focus());
  scrollTo(screen.getByRole('list'), 1000);
  act(() => screen.getByRole('button', { name: 'Poll Unit 3' }).focus());
  expect(drawn()[0]).toBe('Unit 3Poll Unit 3');
});

test('a row that is asked for is brought to the middle', () => {
  const { box, show } = open();
  show('Unit 2000');
  // Its top at 100,000 px, less half of the 500 that are seen.
  expect(box.scrollTop).toBe(99_750);
});

function OnPage({ count }: { count: number }) {
  const rows = useRef<HTMLDivElement>(null);
  const places = useRowsInSight(rows, { rowPx: ROW_PX, count, scroller: 'page' });
  return (
    <div ref={rows}>
      {places.map((place) => (
        <p key={place}>{names[place]}</p>
      ))}
    </div>
  );
}

test.each([
  { count: 300, printed: 300 },
  { count: 5000, printed: 500 },
])('of a list of $count rows that scrolls with the page, $printed are printed', ({ count, printed }) => {
  render(<OnPage count={count} />);
  const shown = () => screen.getAllByText(/^Unit \d+$/);
  const onScreen = shown().length;
  expect(onScreen).toBeLessThan(60);
  act(() => void dispatchEvent(new Event('beforeprint')));
  expect(shown()).toHaveLength(printed);
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(shown()).toHaveLength(onScreen);
});
