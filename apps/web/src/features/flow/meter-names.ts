import type { FlowSummary } from '@headrace/contract/flow';

/** What the meters are called beside each other: those of one name have their serial number with it. */
export function meterNames(meters: readonly Pick<FlowSummary, 'name' | 'serialNumber'>[]): string[] {
  return meters.map(({ name, serialNumber }) => {
    const isAlone = meters.filter((other) => other.name === name).length === 1;
    return isAlone ? name : `${name} (${serialNumber})`;
  });
}

/** Where a meter stands on the dashboard. */
export const meterAnchor = (id: string): string => `meter-${id}`;
