import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';

const { minute, rakaia, second } = world;
/** A tank that a pump of its own fills, and the gateway that hears it. */
const pumped = rakaia.sensors.find(
  ({ gatewayMac, model }) =>
    gatewayMac !== null && model.kind === 'tank' && model.supply.kind === 'pump' && model.radioLoss < 0.1,
);

let one: world.Field;
beforeEach(() => {
  vi.useFakeTimers({ now: world.afternoon });
  one = world.liveField();
});
afterEach(() => {
  one.stop();
  expect(one.faults).toEqual([]);
  vi.useRealTimers();
});

it('a pump follows its new setpoints within seconds, and the level rises', async () => {
  const { mac = '', gatewayMac = '', settings } = pumped ?? {};
  await one.run(minute);
  const reports = () => one.sensors(mac).map(({ values }) => values);
  const from = reports().at(-1)?.levelMm ?? 0;
  const percent = (100 * (from + (settings?.offset ?? 0))) / (settings?.toplevel ?? 1);
  const config = {
    lowSetpoint: Math.ceil(percent) + 1,
    highSetpoint: Math.ceil(percent) + 4,
    relayControl: true,
    maxRunTime: 0,
  };
  one.tell(gatewayMac ?? '', 'config', { configId: 'c1', mac, configType: 'LegacyTlm_PumpControl', config });
  await one.run(10 * second);
  expect(one.states('c1')).toEqual(['accepted', 'done']);
  expect(reports().at(-1)).toMatchObject({ ...config, relayState: true });
  await one.run(10 * minute);
  expect(reports().at(-1)?.levelMm).toBeGreaterThan(from + 5);
});
