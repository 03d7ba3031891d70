import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { mapDevices } from './map-devices.ts';
import { useAskedPopup } from './use-asked-popup.ts';

beforeEach(() => void vi.useFakeTimers());

const tank = buildTank(1);
const devices = mapDevices([tank], undefined, { now: Date.now(), displayPOI: true, found: new Map() });

interface Asked {
  serial: string | undefined;
  devices: typeof devices;
}

function ask(serial: string | undefined) {
  const open = vi.fn<(id: string) => void>();
  const view = renderHook((asked: Asked) => useAskedPopup(asked.serial, asked.devices, open), {
    initialProps: { serial, devices: [] as typeof devices },
  });
  return {
    open,
    know: () => view.rerender({ serial, devices }),
    forget: () => view.rerender({ serial: undefined, devices }),
  };
}

test('the popup opens a second after its sensor is known, not before', () => {
  const { open, know } = ask('TLM1001');
  vi.advanceTimersByTime(5000);
  know();
  vi.advanceTimersByTime(999);
  expect(open).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(open).toHaveBeenCalledExactlyOnceWith(tank._id);
});

test('new facts of the same sensor do not open it again', () => {
  const { open, know } = ask('TLM1001');
  know();
  vi.advanceTimersByTime(1000);
  know();
  vi.advanceTimersByTime(5000);
  expect(open).toHaveBeenCalledTimes(1);
});

test.each([
  ['a serial number that is not there', 'NOBODY'],
  ['none asked for', undefined],
])('%s opens nothing', (_name, serial) => {
  const { open, know } = ask(serial);
  know();
  vi.advanceTimersByTime(5000);
  expect(open).not.toHaveBeenCalled();
});

test('closing it within the second keeps it closed', () => {
  const { open, know, forget } = ask('TLM1001');
  know();
  vi.advanceTimersByTime(500);
  forget();
  vi.advanceTimersByTime(5000);
  expect(open).not.toHaveBeenCalled();
});
