import type { TakeEntries, TakeMeter, TakeMeterEntries, WaterTake } from '@headrace/contract/water-takes';
import type { TakeNote } from '@headrace/contract/rules/water-take/note-fit';
import type { MeterRow, RegisterRow, TakeRecord } from './takes.repo.ts';

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
    takeMeters: take.meters.map(({ startsAt, endsAt, ...meter }) =>
      meterText({ ...meter, startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null }),
    ),
    takeRestrictions: [
      ...take.restrictions.map(restrictionText),
      ...(take.restrictionNote === '' ? [] : [take.restrictionNote]),
    ],
  };
}

/** All of it that a person enters: what isn't in the history makes no nightly backup. */
export function meterText({
  device,
  site,
  measure,
  startsAt,
  endsAt,
  ...of
}: Omit<TakeMeterEntries, 'deviceUID'> & { readonly device: string }): string {
  const unit = `${of.m3PerUnit} m³${of.isByVolume ? ' as it flows' : ''}`;
  const verified = `verified ${of.verifiedOn ?? '…'}, next ${of.nextVerification ?? '…'}`;
  return `${device}: ${site}, ${measure}, ${of.metric}, ${unit}, pipe ${of.pipe}, ${verified} (${startsAt} – ${endsAt ?? '…'})`;
}

export function restrictionText({
  from,
  to,
  kind,
  percent,
  note,
}: TakeEntries['restrictions'][number]): string {
  const what = kind === 'cease' ? 'cease' : `${kind} ${percent} %`;
  return `${what} ${from} – ${to}${note && ` (${note})`}`;
}

export const loggedReading = ({ consentNo, meters }: TakeRecord, reading: RegisterRow): string => {
  const device = meters.find(({ id }) => id === reading.meterId)?.device ?? '';
  const note = reading.note && ` (${reading.note})`;
  return `${consentNo}, ${device}: ${reading.register} m³ at ${reading.at.toISOString()}${note}`;
};

/** Readings of the register that are gone with a meter, or with the take. */
export function lostReadings(before: TakeRecord, after: TakeRecord | undefined): string[] | null {
  const kept = new Set(after?.readings.map(({ uid }) => uid));
  const lost = before.readings.filter(({ uid }) => !kept.has(uid));
  return lost.length === 0 ? null : lost.map((reading) => loggedReading(before, reading));
}

export const loggedNote = ({ consentNo }: TakeRecord, { from, to, note }: TakeNote): string =>
  `${consentNo}, ${from.toISOString()} – ${to.toISOString()}: ${note}`;
