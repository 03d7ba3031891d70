import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

export interface UplinkOrder {
  port: number;
  userName: string;
  key: string;
  devEuis: string[];
  /** Time of the first uplink of each sensor, epoch ms; each further one is a minute later. */
  from: number;
  rounds: number;
  /** Uplinks a second; null: as fast as they are acknowledged, 200 in flight. */
  perSecond: number | null;
}

/** A CTD10's 14 bytes: level, temperature and battery. */
const DATA = Buffer.from('0207D9000390888081006400000C60', 'hex').toString('base64');
const IN_FLIGHT = 200;

/** One network server publishes what its sensors sent; answers with ms in all, and ms of each acknowledgement. */
process.once('message', (order: UplinkOrder) => {
  void run(order).then((result) => process.send?.(result, () => process.exit(0)));
});

async function run(order: UplinkOrder): Promise<{ ms: number; latencies: number[] }> {
  const client = await connectAsync(`mqtt://127.0.0.1:${order.port}`, {
    username: order.userName,
    password: order.key,
    protocolVersion: 4,
    clientId: 'network-server',
  });
  const latencies: number[] = [];
  const sending = new Set<Promise<unknown>>();
  const start = performance.now();
  for (let round = 0; round < order.rounds; round += 1)
    for (const [index, devEui] of order.devEuis.entries()) {
      const number = round * order.devEuis.length + index;
      if (order.perSecond) await sleep(start + (number * 1000) / order.perSecond - performance.now());
      else if (sending.size >= IN_FLIGHT) await Promise.race(sending);
      const sent = performance.now();
      const topic = `application/bench/device/${devEui.toLowerCase()}/event/up`;
      const payload = uplink(devEui, order.from + round * 60_000, round);
      const publishing = client.publishAsync(topic, payload, { qos: 1 }).finally(() => {
        latencies.push(performance.now() - sent);
        sending.delete(publishing);
      });
      sending.add(publishing);
    }
  await Promise.all(sending);
  const ms = performance.now() - start;
  await client.endAsync();
  return { ms, latencies };
}

/** About 1 kB, as ChirpStack sends it for a sensor that three gateways heard. */
function uplink(devEui: string, at: number, fCnt: number): string {
  const gateway = (number: number) => ({
    gatewayId: `0016c001f153a14${number}`,
    uplinkId: 4_217_106_255 + number,
    rssi: -97 - number,
    snr: 6.2 - number,
    location: { latitude: -43.7, longitude: 171.9, altitude: 120 },
    context: 'EFwMtA==',
    metadata: { region_common_name: 'AU915', region_config_id: 'au915_0' },
    crcStatus: 'CRC_OK',
  });
  return JSON.stringify({
    deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
    time: new Date(at).toISOString(),
    deviceInfo: {
      tenantId: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
      applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
      deviceProfileName: 'CTD10',
      devEui: devEui.toLowerCase(),
    },
    devAddr: '00189440',
    adr: true,
    dr: 5,
    fCnt,
    fPort: 1,
    confirmed: false,
    data: DATA,
    rxInfo: [gateway(1), gateway(2), gateway(3)],
    txInfo: { frequency: 916_800_000, modulation: { lora: { bandwidth: 125_000, spreadingFactor: 7 } } },
  });
}
