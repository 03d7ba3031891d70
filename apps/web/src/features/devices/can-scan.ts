/** What browsers that read bar codes have; the DOM's types don't know it yet. */
export interface BarcodeReader {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>;
}
type WithReader = typeof globalThis & { BarcodeDetector?: new () => BarcodeReader };

export const newReader = (): BarcodeReader | null => {
  const { BarcodeDetector } = globalThis as WithReader;
  return BarcodeDetector ? new BarcodeDetector() : null;
};

/** Cameras open on https and on this machine only. */
export const canScan = (): boolean => 'BarcodeDetector' in globalThis && navigator.mediaDevices !== undefined;
