import { lazy, Suspense, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Gateway } from '@headrace/contract/gateways';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { contactColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { deviceKinds } from '../devices/device-kinds.ts';
import { gatewaysQuery } from '../devices/known.queries.ts';
import type { Column, ListFilter, ListKind } from '../devices/list-kind.ts';
import type { DevicesSearch } from '../devices/list-view.ts';
import { ListPage } from '../devices/list-page.tsx';
import { gatewayColour, gatewayStanding, gatewayTypeWords, heardAt } from '../gateways/gateway-facts.ts';
import { IntegrationKeys } from './integration-keys.tsx';
import { useFarmPin } from './use-farm-pin.ts';
import classes from './gateway-list.module.css';

const GatewayDialog = lazy(() => import('../gateways/gateway-dialog.tsx'));

/** A gateway with its own place, as lists have it. */
export type ListedGateway = Gateway & { readonly lat: number | null; readonly lng: number | null };

const filters: readonly ListFilter<ListedGateway>[] = [
  { id: 'connected', label: 'Connected now', isIn: ({ connected }) => connected },
  { id: 'not-connected', label: 'Not connected', isIn: ({ connected }) => !connected },
  {
    id: 'outcomm',
    label: 'Out of contact',
    isIn: (gateway, now) => gatewayStanding(gateway, now).condition !== gatewayColour.ok,
  },
  { id: 'behind', label: 'List not sent', isIn: ({ sync }) => sync },
  { id: 'locationless', label: 'Locationless', isIn: ({ lat }) => lat === null },
];

const ownColumns: readonly Column<ListedGateway>[] = [
  {
    id: 'type',
    label: 'Type',
    width: '96px',
    cell: ({ type }) => gatewayTypeWords[type] ?? type,
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
    cell: ({ sync }) => (sync ? 'Needs sending' : 'Up to date'),
    order: ({ sync }) => Number(!sync),
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
  const data = useMemo(
    () =>
      query.data?.map((gateway): ListedGateway => {
        const place = placeOf(gateway);
        return { ...gateway, lat: place?.lat ?? null, lng: place?.lng ?? null };
      }),
    [query.data, placeOf],
  );
  return (
    <>
      <ListPage farmUID={farmUID} query={{ ...query, data }} kind={kind} />
      <IntegrationKeys farmUID={farmUID} />
      <StatusDialog gateways={data} />
    </>
  );
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
    <Suspense>
      <GatewayDialog
        isOpen={open !== undefined}
        id={last}
        name={gateways?.find(({ _id }) => _id === last)?.name}
        onClose={close}
      />
    </Suspense>
  );
}
