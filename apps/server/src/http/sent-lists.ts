/** A list as it was last sent: the text of member `n`, with the comma after it, is at `bytes` from `starts[n]` to `starts[n + 1]`. */
export interface SentList {
  readonly items: readonly object[];
  readonly starts: Uint32Array;
  readonly bytes: Buffer;
}

/** Of all lists together; the one that was asked for longest ago is forgotten first. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** The lists that were last sent, by request. */
export function createSentLists(keptBytes = KEPT_BYTES) {
  const kept = new Map<string, { list: SentList; letGo: () => void }>();
  let size = 0;

  function forget(request: string): void {
    const known = kept.get(request);
    if (!known) return;
    kept.delete(request);
    size -= known.list.bytes.length;
    known.letGo();
  }

  return {
    get: (request: string): SentList | undefined => kept.get(request)?.list,

    /** Keeps it in the place of the one before. `giveBack` is called once it is neither kept nor, as the answer says, being sent. */
    keep(request: string, list: SentList, giveBack: () => void): () => void {
      let holders = 2;
      const letGo = () => {
        holders -= 1;
        if (holders === 0) giveBack();
      };
      forget(request);
      kept.set(request, { list, letGo });
      size += list.bytes.length;
      for (const oldest of kept.keys()) {
        if (size <= keptBytes || oldest === request) break;
        forget(oldest);
      }
      return letGo;
    },
  };
}
