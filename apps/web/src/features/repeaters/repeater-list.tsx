import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Repeater } from '@headrace/contract/repeaters';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useNames } from '../../device-records/choices.queries.ts';
import { repeatersQuery } from '../../device-records/repeaters.queries.ts';
import { chargeColumn, contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { ListBehind } from '../devices/list-behind.tsx';
import { type Column, type ListFilter, type ListKind, locationless } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';
import { RepeaterDialogHost } from './repeater-dialog-host.tsx';
import { isLow, isSilent, OUT_OF_CONTACT_MS, repeaterStanding } from './repeater-view-model.ts';
import { openRepeater } from './repeater-search.ts';
import classes from './repeater-dialog.module.css';

const filters: readonly ListFilter<Repeater>[] = [
  { id: 'outcomm', label: 'Out of contact', isIn: isSilent },
  { id: 'low-battery', label: 'Low battery', isIn: isLow },
  locationless(),
];

/** What it last reported and its battery, in a dialog over the list. */
const detailsColumn: Column<Repeater> = {
  id: 'details',
  label: 'Details',
  width: '84px',
  cell: ({ _id, name }) => (
    <Link {...openRepeater(_id)} aria-label={`Details of ${name}`} className={classes.open}>
      Details
    </Link>
  ),
  order: ({ statusTime }) => statusTime,
  onCard: '',
};

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
        detailsColumn,
        contactColumn(({ statusTime }) => statusTime, OUT_OF_CONTACT_MS),
      ],
      gateways: { of: ({ gatewayUID }) => gatewayUID, choices: gateways },
    }),
    [gateways, gatewayNames],
  );
  return (
    <>
      <ListPage farmUID={farmUID} query={query} kind={kind} notice={<ListBehind farmUID={farmUID} />} />
      <RepeaterDialogHost />
    </>
  );
}
