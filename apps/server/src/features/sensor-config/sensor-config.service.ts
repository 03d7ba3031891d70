import type { BodyOf } from '@headrace/contract/endpoint';
import { configTypesOf, pumpFaults } from '@headrace/contract/rules/pump-control';
import { sensorConfigTypes } from '@headrace/contract/sensor-types';
import type { createConfigUpdate, PumpSettings } from '@headrace/contract/sensors';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { LiveEvent } from '../../live/live-bus.ts';
import { statusEvent } from '../../live/status-event.ts';
import { requireKind } from '../devices/device-entries.ts';
import { eventTypeOf } from '../readings/status-events.ts';
import { CONFIG_LIFE_MS, configFault } from './config-fault.ts';
import type { SensorConfigRepo, Waiting } from './sensor-config.repo.ts';

interface Effects {
  send(gateway: Waiting): void;
  tell(events: LiveEvent[]): void;
}

type Body = BodyOf<typeof createConfigUpdate>;

/** What people set on sensors by radio: pending until the device says that it has done it. */
export function createSensorConfigService(configs: SensorConfigRepo, effects: Effects) {
  const tell = (farm: FarmRow, { uid, serial_number: serialNumber, kind, type }: DeviceRow, now: Date) =>
    effects.tell([
      statusEvent(farm.id, {
        type: eventTypeOf({ kind, type }),
        farmUID: farm.uid,
        uid,
        serialNumber,
        updatedAt: now.toISOString(),
      }),
    ]);

  /** Throws invalid where no gateway of ours can reach it. */
  async function gatewayOf(sensor: DeviceRow): Promise<number> {
    const gatewayId = await configs.gatewayOf(sensor);
    const isNetwork = sensor.gateway_id === null && (await configs.isHeardByNetwork(sensor));
    if (isNetwork)
      throw invalid(
        `${sensor.name} is heard through a LoRaWAN network server: it can't be set by radio from here. Please set it in the network server.`,
        'deviceId',
      );
    if (gatewayId === null)
      throw invalid(
        `No gateway of this farm speaks for ${sensor.name}, so it can't be set by radio. Please choose its gateway in the sensor's form.`,
        'deviceId',
      );
    return gatewayId;
  }

  return {
    async create(farm: FarmRow, sensor: DeviceRow, body: Body, now: Date): Promise<string> {
      requireKind(sensor, 'sensor');
      const config = checked(sensor, body);
      const gatewayId = await gatewayOf(sensor);
      const uid = newUid(now);
      const expiresAt = new Date(now.getTime() + CONFIG_LIFE_MS);
      await configs.add(sensor, { uid, type: body.configType, config, gatewayId, createdAt: now, expiresAt });
      tell(farm, sensor, now);
      effects.send({ farmId: farm.id, gatewayId });
      return uid;
    },

    /** One that failed or ran out of time is cleared away; one that is on its way can't be called back. */
    async withdraw(farm: FarmRow, sensor: DeviceRow, configId: string, now: Date): Promise<void> {
      requireKind(sensor, 'sensor');
      const found = await configs.withdraw(
        sensor,
        configId.toLowerCase(),
        (row) =>
          row.processed_at === null && (row.sent_at === null || configFault(row, now.getTime()) !== null),
      );
      if (!found) throw notFound('This update is not there any more.');
      if (found.processed_at) throw conflict('The device has done it already. Please send other values.');
      if (found.sent_at && configFault(found, now.getTime()) === null)
        throw conflict(
          'It is on its way to the device and can not be called back. Please send other values instead.',
        );
      tell(farm, sensor, now);
    },
  };
}
export type SensorConfigService = ReturnType<typeof createSensorConfigService>;

/** The config as it is sent. Throws invalid, naming field and remedy. */
function checked(sensor: DeviceRow, { sensorType, configType, config }: Body): object {
  if (sensorType !== sensor.type)
    throw invalid(
      `${sensor.name} is a sensor of type ${sensor.type}, not ${sensorType}. Please reload the page.`,
      'sensorType',
    );
  if (!configTypesOf(sensor.type).includes(configType))
    throw invalid(
      `A sensor of this type can't be set with configType ${configType}: ${allowed(sensor.type)}.`,
      'configType',
    );
  if (configType === sensorConfigTypes.D100_FlowReset) {
    if (Object.keys(config).length > 0) throw invalid('config must be empty to reset the flow.', 'config');
    return {};
  }
  return pumpOf(config);
}

function pumpOf(config: Body['config']): PumpSettings {
  if (!('highSetpoint' in config))
    throw invalid(
      'config must have highSetpoint, lowSetpoint, relayControl and maxRunTime for pump control.',
      'config',
    );
  const { highSetpoint, lowSetpoint, relayControl, maxRunTime } = config;
  const [fault] = pumpFaults(config);
  if (fault) throw invalid(fault.message, `config.${fault.field}`);
  return { highSetpoint, lowSetpoint, relayControl, maxRunTime };
}

function allowed(sensorType: number): string {
  const types = configTypesOf(sensorType);
  return types.length > 0 ? `please use ${types.join(' or ')}` : 'it has nothing to set';
}
