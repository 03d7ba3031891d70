import type { DiaryFacts } from '@headrace/contract/rules/schedule/diary-reasons';
import type { DiaryEntry } from '@headrace/contract/rules/schedule/unit-diary';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { byDevice, byKey } from './by-key.ts';
import type { DiaryTroublesRepo } from './diary-troubles.repo.ts';
import type { DiaryUnit, Span } from './diary-units.repo.ts';
import type { UnitDays } from './unit-days.ts';

/** What may explain what went otherwise with these sprinklers. */
export async function troubleFacts(
  repo: DiaryTroublesRepo,
  farmId: number,
  troubled: readonly UnitDays[],
  { span, wide }: { readonly span: Span; readonly wide: Span },
): Promise<(one: UnitDays, entry: DiaryEntry) => DiaryFacts> {
  const ids = troubled.map(({ unit }) => unit.id);
  const uids = troubled.map(({ unit }) => unit.uid);
  const [orders, heard, charges, swaps, service] = await Promise.all([
    repo.orders(farmId, ids, wide.to),
    repo.heardBefore(farmId, troubled.flatMap(silentTimes)),
    repo.charges(farmId, ids, span.to),
    repo.swaps(farmId, ids, wide),
    repo.service(farmId, uids),
  ]);
  const [ordersOf, chargeOf, swapsOf] = [byDevice(orders), byDevice(charges), byDevice(swaps)];
  const heardAt = new Map(heard.map(({ deviceId, to, at }) => [`${deviceId}/${to}`, at]));
  const serviceOf = byKey(service, ({ uid }) => uid);
  return ({ unit, clock, wanted, held }, entry) => ({
    outOfService: outSpans(unit, serviceOf.get(unit.uid) ?? []),
    orders: ordersOf(unit.id),
    sends: wanted,
    foreign: held
      .filter(({ entries, crc }) => entries === null && crc !== inhibitedCrc)
      .map(({ since, until }) => ({ from: since, to: until })),
    clock,
    charge: chargeOf(unit.id)[0] ?? null,
    heardBefore: heardAt.get(`${unit.id}/${entry.planned?.endAt ?? 0}`) ?? null,
    swaps: swapsOf(unit.id).map(({ at }) => at),
  });
}

const silentTimes = ({ unit, entries }: UnitDays) =>
  entries
    .filter(({ outcome, said }) => outcome === 'not known' && said === null)
    .map(({ planned }) => ({ deviceId: unit.id, from: planned?.startAt ?? 0, to: planned?.endAt ?? 0 }));

/** The change log may not reach back to when it was put out of service: then it is so from before. */
function outSpans(
  { isOutOfService }: DiaryUnit,
  log: readonly { readonly at: number; readonly isOut: boolean }[],
): DiaryFacts['outOfService'] {
  if (log.length === 0) return isOutOfService ? [{ from: 0, to: null }] : [];
  const spans: { from: number; to: number | null }[] =
    log[0]?.isOut === false ? [{ from: 0, to: log[0].at }] : [];
  for (const [index, { at, isOut }] of log.entries())
    if (isOut) spans.push({ from: at, to: log[index + 1]?.at ?? null });
  return spans;
}
