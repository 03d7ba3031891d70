import { useMemo } from 'react';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useGroupChoices, useNames } from '../../device-records/choices.queries.ts';
import {
  isInService,
  isLow,
  isSilent,
  OUT_OF_CONTACT_MS,
  sprinklerStanding,
} from '../../device-records/sprinkler-view-model.ts';
import { chargeColumn, contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { commsModeText } from '../../device-records/comms-modes.ts';
import { type Column, type ListFilter, type ListKind, locationless } from '../devices/list-kind.ts';

const filters: readonly ListFilter<ListedUnit>[] = [
  { id: 'in-service', label: 'In service', isIn: isInService },
  { id: 'outcomm', label: 'Out of contact', isIn: (unit, now) => isInService(unit) && isSilent(unit, now) },
  { id: 'low-battery', label: 'Low battery', isIn: isLow },
  { id: 'spares', label: 'Spares', isIn: ({ isSpareUnit }) => isSpareUnit },
  { id: 'out-of-service', label: 'Out of service', isIn: ({ outOfService }) => outOfService },
  { id: 'placeholder', label: 'Placeholders', isIn: ({ isPlaceholder }) => isPlaceholder },
  { id: 'part', label: 'Part sprinklers', isIn: ({ isPartSprinkler }) => isPartSprinkler },
  { id: 'reconfigure', label: 'To be reconfigured', isIn: ({ reconfigure }) => reconfigure },
  locationless(),
];

const radioColumns: readonly Column<ListedUnit>[] = [
  {
    id: 'farm-id',
    label: 'Farm ID',
    width: '72px',
    cell: ({ farmId }) => farmId,
    order: ({ farmId }) => farmId,
  },
  {
    id: 'channel',
    label: 'Channel',
    width: '66px',
    cell: ({ channel }) => channel,
    order: ({ channel }) => channel,
    isNumber: true,
  },
  {
    id: 'mode',
    label: 'Comms',
    width: '64px',
    cell: ({ commsMode }) => commsModeText(commsMode),
    order: ({ commsMode }) => commsMode,
  },
];

function groupColumn(names: ReadonlyMap<string, string>): Column<ListedUnit> {
  const text = ({ groups }: ListedUnit) =>
    groups
      .map((id) => names.get(id) ?? '')
      .filter(Boolean)
      .join(', ');
  return {
    id: 'groups',
    label: 'Groups',
    width: 'minmax(90px, 1.2fr)',
    cell: (unit) => text(unit) || '–',
    order: text,
  };
}

/** Sprinklers as their list shows them. */
export function useSprinklerKind(farmUID: string): ListKind<ListedUnit> {
  const groups = useGroupChoices(farmUID);
  const gateways = useGatewayChoices(farmUID);
  const groupNames = useNames(groups);
  const gatewayNames = useNames(gateways);
  return useMemo(
    () => ({
      kind: deviceKinds.sprinkler,
      filters,
      standing: sprinklerStanding,
      columns: [
        serialColumn(),
        macColumn(),
        ...radioColumns,
        groupColumn(groupNames),
        gatewayColumn(gatewayNames),
        chargeColumn(),
        contactColumn(({ statusTime }) => statusTime, OUT_OF_CONTACT_MS),
      ],
      groups: { of: (unit) => unit.groups, choices: groups },
      gateways: { of: (unit) => unit.gatewayUID, choices: gateways },
    }),
    [groups, gateways, groupNames, gatewayNames],
  );
}
