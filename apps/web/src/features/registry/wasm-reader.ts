import {
  BarcodeDetector,
  type BarcodeFormat,
  prepareZXingModule,
  purgeZXingModule,
} from 'barcode-detector/ponyfill';
// Of the version that the library was made for: it comes with it, and is no dependency of ours.
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { BarcodeReader } from './barcode-reader.ts';

/** ZXing in WebAssembly, from our own server: left alone, the library would ask a public network for it. */
export async function openWasmReader(formats: readonly BarcodeFormat[]): Promise<BarcodeReader> {
  try {
    await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  } catch (error) {
    // It remembers the failure: the next try has to begin anew.
    purgeZXingModule();
    throw error;
  }
  return new BarcodeDetector({ formats: [...formats] });
}
