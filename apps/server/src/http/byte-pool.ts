const MEBIBYTE = 1024 * 1024;
/** Replies of this size under way at once are few. */
const KEPT = 4;

/**
 * Memory of megabytes that is used again. A new piece for each reply fills what the collector of garbage allows within some
 * twenty replies, and then it holds up everybody for up to 50 ms.
 */
export function createBytePool() {
  const free: Buffer[] = [];
  return {
    /** `size` bytes with anything in them, and the way to give them back once nobody reads them any more. */
    take(size: number): { bytes: Buffer; giveBack: () => void } {
      const fits = free.findIndex(({ length }) => length >= size);
      const [kept] = fits >= 0 ? free.splice(fits, 1) : [];
      const whole = kept ?? Buffer.allocUnsafeSlow(Math.ceil(size / MEBIBYTE) * MEBIBYTE);
      const giveBack = () => {
        free.push(whole);
        // The one that has waited longest goes: it may be too small for today's replies.
        if (free.length > KEPT) free.shift();
      };
      return { bytes: whole.subarray(0, size), giveBack };
    },
  };
}
