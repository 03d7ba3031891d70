import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Repeater } from '@headrace/contract/repeaters';
import { CHARGE_THRESHOLD_PERCENT, SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import { chargeColumn, contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { deviceKinds } from '../devices/device-kinds.ts';
import { useGatewayChoices, useNames } from '../devices/known.queries.ts';
import { ListBehind } from '../devices/list-behind.tsx';
import { type ListFilter, type ListKind, locationless, type Standing } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';
import { repeatersQuery } from './repeaters.queries.ts';

const OUT_OF_CONTACT_MS = SPRINKLER_OUT_OF_CONTACT_DAYS * 86_400_000;

const isSilent = ({ statusTime }: Repeater, now: number) => now - statusTime > OUT_OF_CONTACT_MS;
const isLow = ({ charge }: Repeater) => charge !== null && charge < CHARGE_THRESHOLD_PERCENT;

function standing(repeater: Repeater, now: number): Standing {
  if (repeater.statusTime === 0) return { condition: 'issue', word: 'Never contacted' };
  if (isSilent(repeater, now)) return { condition: 'issue', word: 'Out of contact' };
  return isLow(repeater) ? { condition: 'caution', word: 'Low battery' } : { condition: 'ok', word: 'OK' };
}

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
      standing,
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
