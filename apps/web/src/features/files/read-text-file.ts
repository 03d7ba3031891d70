/** The most that is sent as it is. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;

export interface TextOfFile {
  readonly text: string;
  /** How it was understood, where that is a guess; else ''. */
  readonly note: string;
}

/** Throws an Error with a sentence. */
export function refuseLarge({ size }: File, most = FILE_BYTES_MAX): void {
  const mb = (bytes: number) => bytes / 1024 / 1024;
  if (size > most) throw new Error(`The file has ${mb(size).toFixed(1)} MB. The most is ${mb(most)} MB.`);
}

/** The text of a file: UTF-8, or UTF-16 by its mark, else Windows-1252, as Excel saves CSV. Throws an Error with a sentence. */
export async function readTextFile(file: File): Promise<TextOfFile> {
  refuseLarge(file);
  const bytes = new Uint8Array(await bytesOf(file));
  const [first, second] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), note: '' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), note: '' };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    return { text, note: 'Read as Windows-1252: please check names with macrons and accents.' };
  }
}

/** Throws an Error with a sentence. */
export async function bytesOf(file: Pick<Blob, 'arrayBuffer'>): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error('The file could not be read. Please choose it again.');
  }
}
