/** A person wants it to water nothing, and it has not said yet that it does not: wanted, and not known to be so. */
export const isStopAwaited = ({
  stopWanted = null,
  isInhibited,
}: {
  /** Since when, epoch ms. */
  readonly stopWanted?: number | null;
  /** By its own word. */
  readonly isInhibited: boolean;
}): boolean => stopWanted !== null && !isInhibited;
