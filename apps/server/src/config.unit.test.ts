import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the settings', () => {
  it('have safe defaults: this machine only, own database and broker', () => {
    expect(readConfig({}, [], '/srv/headrace')).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      mqttPort: 1883,
      mqttHost: '127.0.0.1',
      dataDir: '/srv/headrace/data',
      databaseUrl: null,
      mqttUrl: null,
      demo: false,
      onNetwork: false,
      rawRetentionDays: 730,
    });
  });

  it('name every fault at once, with the remedy', () => {
    const read = () =>
      readConfig(
        { PORT: 'eighty', DATABASE_URL: 'mysql://x', TRUST_PROXY: 'maybe', OPERATOR_TOKEN: 'short' },
        [],
        '/',
      );
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      /PORT is "eighty": give a whole number[\s\S]*DATABASE_URL[\s\S]*TRUST_PROXY[\s\S]*OPERATOR_TOKEN/,
    );
  });

  it.each([
    ['127.0.0.1', false],
    ['localhost', false],
    ['::1', false],
    ['0.0.0.0', true],
    ['192.168.1.20', true],
  ])('know whether %s can be reached by others', (host, onNetwork) => {
    expect(readConfig({ HOST: host }, [], '/').onNetwork).toBe(onNetwork);
  });

  it('never repeat a database password in a fault', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db/x' }, [], '/');
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(/hunter2/);
  });
});
