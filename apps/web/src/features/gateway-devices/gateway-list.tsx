import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Gateway } from '@headrace/contract/gateways';
import { sprinklerGateways } from '@headrace/contract/gateway-types';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { gatewaysQuery } from '../../device-records/choices.queries.ts';
import {
  gatewayColour,
  gatewayStanding,
  gatewayTypeLabels,
  heardAt,
} from '../../device-records/gateway-view-model.ts';
import { contactColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import type { Column, ListFilter, ListKind } from '../devices/list-kind.ts';
import type { DevicesSearch } from '../devices/list-view.ts';
import { ListPage } from '../devices/list-page.tsx';
import { sprinklerCountsQuery } from '../group-map/group-map.queries.ts';
import { tankSiteQuery } from '../tanks/tanks.queries.ts';
import { useFarmPin } from '../placing/use-farm-pin.ts';
import { IntegrationKeys } from './integration-keys.tsx';
import classes from './gateway-list.module.css';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { GatewayDialogProps } from '../gateways/gateway-dialog.tsx';

const GatewayDialog = lazyDialog<GatewayDialogProps>(() =>
  import('../gateways/gateway-dialog.tsx').then((m) => m.default),
);

/** A gateway with its own place, as lists have it, and whether its farm has units for it to hold a list of. */
export type ListedGateway = Gateway & {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly hasUnits: boolean;
};

/** Gateways of sensors hold no list, and one of no units need not be sent. */
const isBehind = ({ type, sync, hasUnits }: ListedGateway) =>
  sprinklerGateways.includes(type) && hasUnits && sync;

function listText(gateway: ListedGateway): string {
  if (!sprinklerGateways.includes(gateway.type)) return '–';
  if (!gateway.hasUnits) return 'No sprinklers yet';
  return isBehind(gateway) ? 'Needs sending' : 'Up to date';
}

const filters: readonly ListFilter<ListedGateway>[] = [
  { id: 'connected', label: 'Connected now', isIn: ({ connected }) => connected },
  { id: 'not-connected', label: 'Not connected', isIn: ({ connected }) => !connected },
  {
    id: 'outcomm',
    label: 'Out of contact',
    isIn: (gateway, now) => gatewayStanding(gateway, now).condition !== gatewayColour.ok,
  },
  { id: 'behind', label: 'List not sent', isIn: isBehind },
  { id: 'locationless', label: 'Locationless', isIn: ({ lat }) => lat === null },
];

const ownColumns: readonly Column<ListedGateway>[] = [
  {
    id: 'type',
    label: 'Type',
    width: '96px',
    cell: ({ type }) => gatewayTypeLabels[type] ?? type,
    order: ({ type }) => type,
    onCard: 'Type',
  },
  {
    id: 'connected',
    label: 'Connected',
    width: '96px',
    cell: ({ connected }) => (connected ? 'Yes' : 'No'),
    order: ({ connected }) => Number(!connected),
  },
  {
    id: 'list',
    label: 'Sprinklers list',
    width: '120px',
    cell: listText,
    order: listText,
  },
];

const openDialog = (open: string) =>
  ({
    to: '.',
    search: ((before: DevicesSearch) => ({ ...before, open })) as never,
    replace: true,
    resetScroll: false,
  }) as const;

/** What it last reported, in a dialog over the list. */
const statusColumn: Column<ListedGateway> = {
  id: 'status',
  label: 'Details',
  width: '84px',
  cell: ({ _id, name }) => (
    <Link {...openDialog(_id)} aria-label={`Details of ${name}`} className={classes.status}>
      Details
    </Link>
  ),
  order: heardAt,
  onCard: '',
};

const kind: ListKind<ListedGateway> = {
  kind: deviceKinds.gateway,
  filters,
  standing: gatewayStanding,
  columns: [
    serialColumn(),
    macColumn(),
    ...ownColumns,
    statusColumn,
    contactColumn<ListedGateway>(heardAt, GATEWAY_OUT_OF_CONTACT_MS),
  ],
};

/** `/gateway-devices/{id}` */
export function GatewayList({ farmUID }: { farmUID: string }) {
  const query = useQuery(gatewaysQuery(farmUID));
  const { placeOf } = useFarmPin(farmUID);
  const hasUnits = useHasUnits(farmUID);
  const data = useMemo(
    () =>
      query.data?.map((gateway): ListedGateway => {
        const place = placeOf(gateway);
        return { ...gateway, lat: place?.lat ?? null, lng: place?.lng ?? null, hasUnits };
      }),
    [query.data, placeOf, hasUnits],
  );
  return (
    <>
      <ListPage farmUID={farmUID} query={{ ...query, data }} kind={kind} />
      <IntegrationKeys farmUID={farmUID} />
      <StatusDialog gateways={data} />
    </>
  );
}

/** Whether the farm has sprinklers or repeaters; where that isn't known, as if it had. */
function useHasUnits(farmUID: string): boolean {
  const canCount = useCan(needs.countSprinklers, farmUID);
  const canSite = useCan(needs.tankSite, farmUID);
  const counts = useQuery({ ...sprinklerCountsQuery(farmUID), enabled: canCount }).data;
  const site = useQuery({ ...tankSiteQuery(farmUID), enabled: canSite }).data;
  return !counts || !site || counts.total + site.repeaters.length > 0;
}

function StatusDialog({ gateways }: { gateways: readonly ListedGateway[] | undefined }) {
  const { open }: DevicesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  // While the dialog fades out its gateway stays in it.
  const [last, setLast] = useState(open);
  if (open !== undefined && open !== last) setLast(open);
  if (last === undefined) return null;
  const close = () => {
    const search = ((before: DevicesSearch) => ({ ...before, open: undefined })) as never;
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  };
  return (
    <GatewayDialog
      isOpen={open !== undefined}
      id={last}
      name={gateways?.find(({ _id }) => _id === last)?.name}
      onClose={close}
    />
  );
}
