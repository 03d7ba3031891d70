import { onTestFinished, vi } from 'vitest';
import { FakeApi } from '../../testing/fake-api.ts';

/** A register with one sprinkler. */
export const registerApi = () =>
  new FakeApi().on('GET /mac-test', ({ query: { serialNumber } }) =>
    serialNumber === 'IPC10001'
      ? { serialNumber, mac: '0004A3000001', kind: 'ipc', found: true }
      : { serialNumber, mac: '', kind: '', found: false },
  );

export interface FakeCamera {
  /** Of the light: what it was told. */
  readonly lights: unknown[];
  readonly isStopped: () => boolean;
}

/** A camera at the back of a phone whose browser reads bar codes: one label after the other. */
export function stubCamera(labels: readonly string[], { hasTorch = false } = {}): FakeCamera {
  const left = [...labels];
  const lights: unknown[] = [];
  let isStopped = false;
  const track = {
    stop: () => {
      isStopped = true;
    },
    getCapabilities: () => (hasTorch ? { torch: true } : {}),
    applyConstraints: (wanted: unknown) => {
      lights.push(wanted);
      return Promise.resolve();
    },
  };
  stubDevices({ getTracks: () => [track], getVideoTracks: () => [track] });
  stubReader(() => {
    const label = left.shift();
    return label === undefined ? [] : [{ rawValue: label }];
  });
  return { lights, isStopped: () => isStopped };
}

/** `opened`: what the camera gives, or why it doesn't. */
export function stubDevices(opened: object | Error): void {
  const value = {
    enumerateDevices: () => Promise.resolve([{ kind: 'videoinput' }]),
    getUserMedia: () => (opened instanceof Error ? Promise.reject(opened) : Promise.resolve(opened)),
  };
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'mediaDevices');
  });
  // There is no picture here: what is in it, the reader says.
  vi.spyOn(HTMLVideoElement.prototype, 'play').mockResolvedValue();
  Object.defineProperty(HTMLVideoElement.prototype, 'srcObject', {
    configurable: true,
    writable: true,
    value: null,
  });
}

export function stubReader(detect: (picture: unknown) => { rawValue: string }[]): void {
  class Reader {
    static getSupportedFormats = () => Promise.resolve(['code_128', 'qr_code']);
    detect = (picture: unknown) => Promise.resolve(detect(picture));
  }
  vi.stubGlobal('BarcodeDetector', Reader);
}
