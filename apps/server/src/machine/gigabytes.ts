const GIB = 2 ** 30;

/** "1.5 GiB". */
export const inGigabytes = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;
