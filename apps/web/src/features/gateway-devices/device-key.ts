import type { BrokerAddress } from '@headrace/contract/settings';

/** Name and password of a device at the broker. The password is known only now. */
export interface DeviceKey {
  readonly userName: string;
  readonly password: string;
}

/** Where the broker is, as it stands in configurations; what isn't known is to be filled in. */
interface Broker {
  host: string;
  port: string;
  tls: boolean;
}

const brokerOf = (told: BrokerAddress | null): Broker => ({
  host: told ? told.host || location.hostname : '<host>',
  port: told ? String(told.port) : '<port>',
  tls: told?.tls ?? false,
});

const reach = ({ host, port, tls }: Broker): string[] => [
  `host      ${host}`,
  `port      ${port}`,
  ...(tls ? ['tls       yes'] : []),
];

const publishing = ({ host, port, tls }: Broker): string =>
  `mosquitto_pub -h ${host} -p ${port}${tls ? ' --tls-use-os-certs' : ''} -V mqttv311 -q 1`;

/** What a gateway's own configuration needs. */
export function gatewayConfiguration(
  { userName, password }: DeviceKey,
  broker: BrokerAddress | null,
): string {
  return [
    ...reach(brokerOf(broker)),
    `user      ${userName}`,
    `password  ${password}`,
    `client id ${userName}`,
    `publish   headrace/v1/${userName}/state`,
    `          headrace/v1/${userName}/up/#`,
    `subscribe headrace/v1/${userName}/down/#`,
    `will      headrace/v1/${userName}/state  {"online": false}  (retained, QoS 1)`,
  ].join('\n');
}

/** Says hello as the gateway would: it then shows as heard. */
export function gatewayExample(
  { userName, password }: DeviceKey,
  broker: BrokerAddress | null,
  { serialNumber, type }: { serialNumber: string; type: number },
): string {
  const hello = JSON.stringify({ serialNumber, type, bootId: 'by-hand-1' });
  return [
    `${publishing(brokerOf(broker))} \\`,
    `  -u ${userName} -P '${password}' -i ${userName} \\`,
    `  -t headrace/v1/${userName}/up/hello -m '${hello}'`,
  ].join('\n');
}

/** What a LoRaWAN network server's integration needs. */
export function integrationConfiguration(
  { userName, password }: DeviceKey,
  broker: BrokerAddress | null,
): string {
  return [
    ...reach(brokerOf(broker)),
    `user      ${userName}`,
    `password  ${password}`,
    'topics    application/{application}/device/{devEui}/event/{event}   ChirpStack v4, JSON',
    '          v3/{application}@{tenant}/devices/{device}/up             The Things Stack v3',
  ].join('\n');
}

export function integrationExample({ userName, password }: DeviceKey, broker: BrokerAddress | null): string {
  const uplink = JSON.stringify({
    deviceInfo: { devEui: '0004a30b001c0530' },
    fPort: 1,
    fCnt: 1,
    object: { level: 1200 },
  });
  return [
    `${publishing(brokerOf(broker))} -u ${userName} -P '${password}' \\`,
    `  -t application/1/device/0004a30b001c0530/event/up -m '${uplink}'`,
  ].join('\n');
}
