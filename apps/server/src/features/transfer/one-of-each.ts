import type { PlanItem } from './plan-items.ts';

/** Numbers what several rows lay claim to, such as a serial number: of those rows one at most is done. */
export function oneOfEach(items: readonly PlanItem[]): PlanItem[] {
  const open = items.filter(({ deed }) => deed !== null);
  const counts = new Map<string, number>();
  for (const { claims = [] } of open) for (const key of claims) counts.set(key, (counts.get(key) ?? 0) + 1);
  const contested = [...counts].flatMap(([key, count]) => (count > 1 ? key : []));
  if (contested.length === 0) return [...items];
  const numbers = new Map(contested.map((key, index) => [key, index]));
  return items.map((item) => {
    const { row, deed, claims = [] } = item;
    const apart = deed === null ? [] : claims.flatMap((key) => numbers.get(key) ?? []);
    return apart.length === 0 ? item : { ...item, row: { ...row, apart } };
  });
}
