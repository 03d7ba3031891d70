/** An object of a file: its number, and what stands between `obj` and `endobj`, a sign for each byte. */
export interface FileObject {
  readonly id: number;
  readonly dictionary: string;
  /** What follows its dictionary, where it is a stream. */
  readonly stream: Uint8Array | null;
}

export interface FileObjects {
  /** In the order in which they were ended. */
  readonly objects: readonly FileObject[];
  /** The file's own dictionary: its root, title and id. */
  readonly trailer: string;
}

/** How PDFKit writes a file, line by line, and doesn't say. */
interface WrittenFile {
  _write: (line: string | Uint8Array) => void;
}

const BEGINS = /^(\d+) 0 obj$/;

/**
 * PDFKit makes bytes of each line of an object, and streams them with a table of where each begins. Here objects stay texts, so that who
 * packs them needn't find them again. Gives all that is written from now on.
 */
export function gatherObjects(file: WrittenFile): () => FileObjects {
  const objects: FileObject[] = [];
  let open: { id: number; dictionary: string; stream: Uint8Array | null } | null = null;
  let [isTrailer, trailer] = [false, ''];
  const outside = (line: string) => {
    const [, id] = BEGINS.exec(line) ?? [];
    if (id !== undefined) open = { id: Number(id), dictionary: '', stream: null };
    else if (isTrailer) [isTrailer, trailer] = [false, line];
    else isTrailer = line === 'trailer';
  };
  file._write = (line) => {
    if (!open) outside(String(line));
    else if (typeof line !== 'string') open.stream = line;
    else if (line === 'endobj') {
      objects.push(open);
      open = null;
    } else if (open.dictionary === '') open.dictionary = line;
  };
  return () => ({ objects, trailer });
}
