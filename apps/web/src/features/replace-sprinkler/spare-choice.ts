import type { Ipc } from '@headrace/contract/irrigation-devices';
import { distanceKm } from '@headrace/contract/rules/distance';
import { readinessText, spareStatuses } from '@headrace/contract/rules/spare-readiness';
import { withUnit } from '../../ui/format.ts';

/** A spare that may take a place. */
export interface SpareChoice {
  readonly spare: Ipc;
  /** To the place that it would take, km; null where one of the two has no location. */
  readonly km: number | null;
}

interface Place {
  readonly id: string;
  readonly lat: number | null;
  readonly lng: number | null;
}

/** The best first: ready before with errors, not ready and never heard; then the nearest; then the fullest battery. */
export function spareChoices(spares: readonly Ipc[], place: Place): SpareChoice[] {
  return spares
    .filter(({ id }) => id !== place.id)
    .map((spare) => ({ spare, km: kmBetween(spare, place) }))
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        (one.km ?? Number.MAX_VALUE) - (other.km ?? Number.MAX_VALUE) ||
        (other.spare.charge ?? -1) - (one.spare.charge ?? -1) ||
        one.spare.name.localeCompare(other.spare.name, 'en', { numeric: true }),
    );
}

const ranks: readonly number[] = [
  spareStatuses.Ready,
  spareStatuses.WithErrors,
  spareStatuses.NotReady,
  spareStatuses.Unknown,
];
const rankOf = ({ spare }: SpareChoice): number => ranks.indexOf(spare.spareStatus);

function kmBetween(spare: Omit<Place, 'id'>, place: Place): number | null {
  const [from, to] = [pointOf(spare), pointOf(place)];
  return from && to ? distanceKm(from, to) : null;
}

const pointOf = ({ lat, lng }: Omit<Place, 'id'>) => (lat === null || lng === null ? null : { lat, lng });

/** What speaks for it or against it, in a line: "Ready, 120 m away, battery 96 %". */
export function choiceText({ spare, km }: SpareChoice): string {
  return [
    readinessText(spare.spareStatus),
    ...spare.spareReasons,
    ...(km === null ? [] : [`${distanceText(km)} away`]),
    ...(spare.charge === null ? [] : [`battery ${withUnit(String(Math.round(spare.charge)), '%')}`]),
  ].join(', ');
}

/** No command wakes one that hibernates. */
const cures: ReadonlyMap<string, string> = new Map([
  ['never contacted', 'Poll it: it was never heard.'],
  ['battery below 70%', 'Charge it.'],
  ['clock drift above 3 seconds', 'Set the time, in the dialog of its gateway.'],
  ['wrong farmID', 'Reconfigure it, under More in its dialog.'],
  ['wrong channel', 'Reconfigure it, under More in its dialog.'],
  ['another faulty unit with the same serial number', 'Correct the serial number of the other unit.'],
]);

/** What makes it ready, for the first of its reasons; null: it is ready, or nobody knows what does. */
export const cureText = ({ spare }: SpareChoice): string | null =>
  spare.spareReasons.flatMap((reason) => cures.get(reason) ?? [])[0] ?? null;

/** To 10 m below a kilometre, else to 0.1 km. */
function distanceText(km: number): string {
  const metres = Math.round(km * 100) * 10;
  return metres < 1000 ? `${metres} m` : `${km.toFixed(1)} km`;
}

/** Why it can't be sent; null: it can. */
export const choiceWhyNot = ({ spare }: SpareChoice): string | null =>
  spare.macAddress === '' ? 'Its MAC address is not known: enter it in its form first.' : null;
