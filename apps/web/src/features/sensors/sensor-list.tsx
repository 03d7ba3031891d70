import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { SensorRecord } from '@headrace/contract/sensors';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import { contactColumn, gatewayColumn, macColumn, serialColumn } from '../devices/columns.tsx';
import { deviceKinds } from '../devices/device-kinds.ts';
import { useGatewayChoices, useNames } from '../devices/known.queries.ts';
import { type Column, type ListFilter, type ListKind, locationless } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';
import { sensorStanding, sensorStatuses, sensorTypeText } from './sensor-words.ts';
import { sensorsQuery, withStatus } from './sensors.queries.ts';

const flowTypes: readonly number[] = [sensorTypes.FLOW, sensorTypes.FLOW_PULSE, sensorTypes.FLOW_ANALOG];
const hasStatus = (wanted: number) => (sensor: SensorRecord) => sensor.status === wanted;

const filters: readonly ListFilter<SensorRecord>[] = [
  { id: 'normal', label: 'Normal', isIn: hasStatus(sensorStatuses.Normal) },
  { id: 'irregular', label: 'Irregular', isIn: hasStatus(sensorStatuses.Irregular) },
  { id: 'unreachable', label: 'Unreachable', isIn: hasStatus(sensorStatuses.Unreachable) },
  { id: 'unknown', label: 'Unknown', isIn: hasStatus(sensorStatuses.Unknown) },
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
        contactColumn(({ statusTime }) => statusTime, 86_400_000),
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
