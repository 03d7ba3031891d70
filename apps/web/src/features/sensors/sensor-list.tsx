import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { SensorRecord } from '@headrace/contract/sensors';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useNames } from '../../device-records/choices.queries.ts';
import { sensorStanding, sensorStatuses, sensorTypeText } from '../../device-records/sensor-labels.ts';
import { withStatus } from '../../api/with-status.ts';
import { sensorsQuery } from '../../device-records/sensors.queries.ts';
import { contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { type Column, type ListFilter, type ListKind, locationless } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';

const flowTypes: readonly number[] = [sensorTypes.FLOW, sensorTypes.FLOW_PULSE, sensorTypes.FLOW_ANALOG];
const hasStatus =
  (...wanted: readonly number[]) =>
  (sensor: SensorRecord) =>
    wanted.includes(sensor.status);

const filters: readonly ListFilter<SensorRecord>[] = [
  { id: 'normal', label: 'In contact', isIn: hasStatus(sensorStatuses.Normal) },
  {
    id: 'outcomm',
    label: 'Out of contact',
    isIn: hasStatus(sensorStatuses.Irregular, sensorStatuses.Unreachable),
  },
  { id: 'never', label: 'Never contacted', isIn: hasStatus(sensorStatuses.Unknown) },
  { id: 'tank', label: 'Tanks', isIn: ({ type }) => tankTypes.includes(type) },
  { id: 'flow', label: 'Flow', isIn: ({ type }) => flowTypes.includes(type) },
  { id: 'soil', label: 'Soil moisture', isIn: ({ type }) => type === sensorTypes.SOIL_MOISTURE },
  locationless(),
];

const typeColumn: Column<SensorRecord> = {
  id: 'type',
  label: 'Type',
  width: 'minmax(130px, 1fr)',
  cell: ({ type }) => sensorTypeText(type),
  order: ({ type }) => sensorTypeText(type),
  onCard: '',
};

/** `/sensor-devices/{id}` */
export function SensorList({ farmUID }: { farmUID: string }) {
  const query = useQuery(sensorsQuery(farmUID));
  const gateways = useGatewayChoices(farmUID);
  const gatewayNames = useNames(gateways);
  const kind: ListKind<SensorRecord> = useMemo(
    () => ({
      kind: deviceKinds.sensor,
      filters,
      standing: sensorStanding,
      columns: [
        typeColumn,
        serialColumn(),
        macColumn(),
        gatewayColumn(gatewayNames),
        contactColumn(({ statusTime }) => statusTime, TANK_OUT_OF_CONTACT_MS),
      ],
      gateways: { of: ({ gatewayUID }) => gatewayUID, choices: gateways },
    }),
    [gateways, gatewayNames],
  );
  return (
    <ListPage
      farmUID={farmUID}
      query={query}
      kind={kind}
      failed={withStatus('Failed to fetch sensor devices', query.error)}
    />
  );
}
