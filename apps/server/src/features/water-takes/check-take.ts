import type { BodyOf } from '@headrace/contract/endpoint';
import type { addTake, TakeEntries } from '@headrace/contract/water-takes';
import { newUid } from '../../db/ids.ts';
import { invalid } from '../../http/errors.ts';
import type { MeterSensor, NewMeter, TakeRecord } from './takes.repo.ts';

type Body = Omit<BodyOf<typeof addTake>, 'farmUID'>;
type MeterBody = Body['meters'][number];

interface Known {
  /** As it was; undefined: it is new. */
  readonly before: TakeRecord | undefined;
  readonly takes: readonly TakeRecord[];
  readonly sensors: readonly MeterSensor[];
  readonly now: Date;
}

/** What was entered, fit to be stored. Throws invalid with the field. */
export function checkedTake(body: Body, known: Known): { take: TakeEntries; meters: NewMeter[] } {
  const { meters, ...take } = body;
  checkDays(take);
  const same = known.takes.find(
    ({ consentNo, uid }) =>
      uid !== known.before?.uid && consentNo.toLowerCase() === take.consentNo.toLowerCase(),
  );
  if (same) throw invalid('Another take of this farm has this consent number.', 'consentNo');
  const stored = meters.map((meter) => checkedMeter(meter, known));
  checkTimes(stored, known);
  return { take, meters: stored };
}

function checkDays({ validFrom, validTo, restrictions }: TakeEntries): void {
  for (const [name, day] of Object.entries({ validFrom, validTo }))
    if (day !== null && !isDay(day)) throw invalid(`${name}: there is no such day.`, name);
  if (validFrom !== null && validTo !== null && validTo < validFrom)
    throw invalid('validTo: this is before the first day.', 'validTo');
  if (restrictions.some(({ from, to }) => new Date(to) <= new Date(from)))
    throw invalid('A restriction ends before it begins.', 'restrictions');
}

const isDay = (text: string) => {
  const read = new Date(`${text}T00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
};

function checkedMeter({ uid, deviceUID, ...meter }: MeterBody, { before, sensors, now }: Known): NewMeter {
  const known = before?.meters.find((one) => one.uid === uid?.toLowerCase());
  if (uid !== undefined && !known)
    throw invalid('One of the meters is no longer on this take. Please look at it again.', 'meters');
  const sensor = sensors.find((one) => one.uid === deviceUID.toLowerCase());
  // A meter whose sensor was deleted stays what it was.
  const isUnchanged = known?.deviceUID === deviceUID.toLowerCase();
  const deviceId = sensor?.id ?? (isUnchanged ? known?.deviceId : undefined);
  if (deviceId === undefined) throw invalid('Please choose a meter of this farm.', 'meters');
  for (const day of [meter.verifiedOn, meter.nextVerification])
    if (day !== null && !isDay(day)) throw invalid('There is no such day of a verification.', 'meters');
  if (meter.endsAt !== null && new Date(meter.endsAt) <= new Date(meter.startsAt))
    throw invalid('A meter was taken out before it was built in.', 'meters');
  return { ...meter, uid: known?.uid ?? newUid(now), deviceId };
}

/** A meter measures one take at a time, and a place has one meter at a time. */
function checkTimes(meters: readonly NewMeter[], { before, takes }: Known): void {
  const others = takes
    .filter(({ uid }) => uid !== before?.uid)
    .flatMap((take) =>
      take.meters.map(({ deviceId, startsAt, endsAt }) => ({
        deviceId,
        startsAt: startsAt.toISOString(),
        endsAt: endsAt?.toISOString() ?? null,
      })),
    );
  for (const [index, meter] of meters.entries()) {
    const rest = meters.slice(index + 1);
    if ([...rest, ...others].some((other) => other.deviceId === meter.deviceId && meets(meter, other)))
      throw invalid('A meter measures one take at a time: it is in use at the same time already.', 'meters');
    const isSame = (other: NewMeter) => other.site === meter.site && other.measure === meter.measure;
    if (rest.some((other) => isSame(other) && meets(meter, other)))
      throw invalid('Two meters are at the same place at the same time: one has to end first.', 'meters');
  }
}

type Span = Pick<NewMeter, 'startsAt' | 'endsAt'>;
const endOf = ({ endsAt }: Span) => (endsAt === null ? Infinity : Date.parse(endsAt));
const meets = (a: Span, b: Span) => Date.parse(a.startsAt) < endOf(b) && Date.parse(b.startsAt) < endOf(a);
