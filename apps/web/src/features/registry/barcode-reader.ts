import { serialIn } from './serial-text.ts';

/** What finds bar codes in a picture; browsers that have it call it BarcodeDetector. */
export interface BarcodeReader {
  detect: (picture: HTMLVideoElement | Blob) => Promise<readonly { readonly rawValue: string }[]>;
}

interface NativeReader {
  new (options: { formats: readonly string[] }): BarcodeReader;
  getSupportedFormats: () => Promise<readonly string[]>;
}
type WithNative = typeof globalThis & { BarcodeDetector?: NativeReader };

/** What stands on labels. Formats without a check digit are left out: half a label would read as a shorter number. */
const formats = ['code_128', 'code_39', 'code_93', 'qr_code', 'data_matrix'] as const;
const LABEL_FORMAT = 'code_128';

/**
 * The browser's own reader where it reads labels, else ZXing in WebAssembly, which is loaded then. Throws when that
 * can't be loaded.
 */
export async function openReader(): Promise<BarcodeReader> {
  const { BarcodeDetector } = globalThis as WithNative;
  // Desktop browsers may have the class and read nothing.
  const known = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (BarcodeDetector && known.includes(LABEL_FORMAT))
    return new BarcodeDetector({ formats: formats.filter((format) => known.includes(format)) });
  const { openWasmReader } = await import('./wasm-reader.ts');
  return openWasmReader(formats);
}

/** The serial number in the first bar code of the picture; null: there is none. */
export async function readCode(
  reader: BarcodeReader,
  picture: HTMLVideoElement | Blob,
): Promise<string | null> {
  const codes = await reader.detect(picture);
  const texts = codes.map(({ rawValue }) => serialIn(rawValue));
  return texts.find((text) => text !== '') ?? null;
}
