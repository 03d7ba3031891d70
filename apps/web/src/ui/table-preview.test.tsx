import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TablePreview } from './table-preview.tsx';

afterEach(() => vi.unstubAllGlobals());

const WIDER = 'Wider than it is shown: scroll it sideways.';
function show(widths: { table: number; place: number }) {
  // jsdom has no sizes.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly look: () => void;
      constructor(look: () => void) {
        this.look = look;
      }
      observe(box: HTMLElement): void {
        Object.defineProperties(box, {
          scrollWidth: { value: widths.table },
          clientWidth: { value: widths.place },
        });
        this.look();
      }
      disconnect(): void {}
    },
  );
  render(
    <TablePreview
      file="ipc_status_report.csv"
      heads={['name', 'notes']}
      rows={[['A1', 'Out of Service · Battery Level']]}
      isCut={false}
    />,
  );
  return screen.getByRole('region', { name: 'Preview of ipc_status_report.csv' });
}

test('a table that is wider than its place says so, and fades where it goes on', () => {
  const place = show({ table: 700, place: 340 });
  expect(screen.getByText(WIDER)).toBeTruthy();
  expect(place.dataset['goesOn']).toBe('true');
  // Scrolled to its end.
  place.scrollLeft = 360;
  fireEvent.scroll(place);
  expect(place.dataset['goesOn']).toBeUndefined();
  expect(screen.getByText(WIDER)).toBeTruthy();
});

test('one that fits says nothing of that, and breaks running text alone into lines', () => {
  const place = show({ table: 340, place: 340 });
  expect(screen.queryByText(WIDER)).toBeNull();
  expect(place.dataset['goesOn']).toBeUndefined();
  expect(screen.getAllByRole('cell').map(({ dataset }) => dataset['long'])).toEqual([undefined, 'true']);
});
