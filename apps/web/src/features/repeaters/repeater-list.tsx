import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Repeater } from '@headrace/contract/repeaters';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useNames } from '../../device-records/choices.queries.ts';
import { repeatersQuery } from '../../device-records/repeaters.queries.ts';
import { chargeColumn, contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { ListBehind } from '../devices/list-behind.tsx';
import { type ListFilter, type ListKind, locationless } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';
import { isLow, isSilent, OUT_OF_CONTACT_MS, repeaterStanding } from './repeater-facts.ts';

const filters: readonly ListFilter<Repeater>[] = [
  { id: 'outcomm', label: 'Out of contact', isIn: isSilent },
  { id: 'low-battery', label: 'Low battery', isIn: isLow },
  locationless(),
];

/** `/repeater-devices/{id}` */
export function RepeaterList({ farmUID }: { farmUID: string }) {
  const query = useQuery(repeatersQuery(farmUID));
  const gateways = useGatewayChoices(farmUID);
  const gatewayNames = useNames(gateways);
  const kind: ListKind<Repeater> = useMemo(
    () => ({
      kind: deviceKinds.repeater,
      filters,
      standing: repeaterStanding,
      columns: [
        serialColumn(),
        macColumn(),
        gatewayColumn(gatewayNames),
        chargeColumn(),
        contactColumn(({ statusTime }) => statusTime, OUT_OF_CONTACT_MS),
      ],
      gateways: { of: ({ gatewayUID }) => gatewayUID, choices: gateways },
    }),
    [gateways, gatewayNames],
  );
  return <ListPage farmUID={farmUID} query={query} kind={kind} notice={<ListBehind farmUID={farmUID} />} />;
}
