import type { SignedInDevice } from '@headrace/contract/account-details';

/** A browser with all its sign-ins, the newest use first. */
export interface Browser {
  readonly device: string;
  readonly newest: SignedInDevice;
  readonly all: readonly [SignedInDevice, ...SignedInDevice[]];
  readonly isThis: boolean;
  readonly hasPush: boolean;
}

/** This browser first, then by last use: `sessions` come with the newest use first. */
export function byBrowser(sessions: readonly SignedInDevice[]): Browser[] {
  const groups = new Map<string, [SignedInDevice, ...SignedInDevice[]]>();
  for (const one of sessions) {
    const group = groups.get(one.device);
    if (group) group.push(one);
    else groups.set(one.device, [one]);
  }
  const browsers = [...groups].map(([device, all]) => ({
    device,
    newest: all[0],
    all,
    isThis: all.some(({ isThis }) => isThis),
    hasPush: all.some(({ hasPush }) => hasPush),
  }));
  return browsers.toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}
