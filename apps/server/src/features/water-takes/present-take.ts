import type { TakeMeter, WaterTake } from '@headrace/contract/water-takes';
import type { MeterRow, TakeRecord } from './takes.repo.ts';

export function presentTake(take: TakeRecord): WaterTake {
  const { id: _, readings: _readings, meters, updatedAt, ...entries } = take;
  return {
    ...entries,
    meters: meters.map((meter) => presentMeter(meter, take)),
    updatedAt: updatedAt.toISOString(),
  };
}

export function presentMeter(meter: MeterRow, { readings }: Pick<TakeRecord, 'readings'>): TakeMeter {
  const { id, takeId: _takeId, deviceId: _deviceId, startsAt, endsAt, ...entries } = meter;
  return {
    ...entries,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    readings: readings
      .filter(({ meterId }) => meterId === id)
      .map(({ uid, at, register, note, by }) => ({ uid, at: at.toISOString(), register, note, by })),
  };
}

/** As the farm's history shows it. */
export function loggedTake(take: TakeRecord | undefined): object {
  if (!take) return { waterTake: null, takeLimits: null, takeMeters: null, takeRestrictions: null };
  const { consentNo, holder, council, source, validFrom, validTo } = take;
  const texts = [consentNo, holder, council, source].filter((text) => text !== '');
  return {
    waterTake: `${texts.join(', ')} (${validFrom ?? '…'} – ${validTo ?? '…'})`,
    takeLimits: [
      [take.maxLps, 'L/s'],
      [take.maxM3Day, 'm³ a day'],
      [take.maxM37Day, 'm³ in seven days'],
      [take.maxM3Year, 'm³ a year'],
    ]
      .filter(([most]) => most !== null)
      .map(([most, unit]) => `${most} ${unit}`)
      .join(', '),
    takeMeters: take.meters.map(
      ({ device, site, measure, startsAt, endsAt, m3PerUnit }) =>
        `${device}: ${site}, ${measure}, ${m3PerUnit} m³ (${startsAt.toISOString()} – ${endsAt?.toISOString() ?? '…'})`,
    ),
    takeRestrictions: take.restrictions.map(({ from, to, kind, percent }) =>
      kind === 'cease' ? `cease ${from} – ${to}` : `${kind} ${percent} % ${from} – ${to}`,
    ),
  };
}
