import type { Group } from '@headrace/contract/groups';
import type { ListedUnit } from '@headrace/contract/unit-list';
import type { Poi } from '@headrace/contract/pois';
import type { Listed, Standing } from '../../device-records/device-record.ts';
import { sprinklerStanding } from '../../device-records/sprinkler-view-model.ts';

/** A device that can be in groups. */
export interface Member extends Listed {
  readonly kind: 'ipcs' | 'pois';
  readonly isIn: boolean;
  readonly standing: Standing;
  /** The names of the other groups that it is in. */
  readonly others: readonly string[];
  /** The other lateral group because of which it can't be in this one; null: it can. */
  readonly taken: string | null;
}

export interface MemberFacts {
  readonly groupId: string;
  readonly ipcs: readonly ListedUnit[];
  readonly pois: readonly Poi[];
  readonly groups: readonly Group[];
  /** Ids of all devices that are in the group. */
  readonly inside: ReadonlySet<string>;
  readonly now: number;
}

/** The farm's sprinklers and points of interest, as a group sees them. */
export function membersOf({ groupId, ipcs, pois, groups, inside, now }: MemberFacts): Member[] {
  const byId = new Map(groups.map((group) => [group._id, group]));
  const isLateral = byId.get(groupId)?.isLateral ?? false;
  const known = (ids: readonly string[]) => ids.flatMap((id) => (id === groupId ? [] : (byId.get(id) ?? [])));
  const sprinklers = ipcs.map((unit): Member => {
    const others = known(unit.groups);
    const lateral = isLateral ? others.find((group) => group.isLateral) : undefined;
    return {
      ...listed(unit),
      serialNumber: unit.serialNumber,
      macAddress: unit.macAddress,
      kind: 'ipcs',
      isIn: inside.has(unit._id),
      standing: sprinklerStanding(unit, now),
      others: others.map(({ name }) => name),
      taken: lateral?.name ?? null,
    };
  });
  const points = pois.map(
    (poi): Member => ({
      ...listed(poi),
      kind: 'pois',
      isIn: inside.has(poi._id),
      standing: { condition: 'poi', label: 'Point of interest' },
      others: known(poi.groups).map(({ name }) => name),
      taken: null,
    }),
  );
  return [...sprinklers, ...points];
}

const listed = ({ _id, name, description, lat, lng }: Listed): Listed => ({
  _id,
  name,
  description,
  lat,
  lng,
});
