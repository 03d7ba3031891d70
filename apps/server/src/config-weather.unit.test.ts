import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const weather = (env: NodeJS.ProcessEnv) => readConfig(env, [], '/').weather;

describe('the weather source', () => {
  it('is none unless one is given', () => {
    expect(weather({})).toBeNull();
    expect(weather({ WEATHER_TOKEN: 'abc' })).toBeNull();
  });

  it('is named as its owner asks, else by its host', () => {
    const url = 'https://api.open-meteo.com/v1/forecast';
    expect(weather({ WEATHER_URL: url, WEATHER_TOKEN: 'abc' })).toEqual({
      url,
      token: 'abc',
      attribution: 'Weather data by Open-Meteo.com (CC BY 4.0)',
    });
    expect(weather({ WEATHER_URL: 'https://open-meteo.com.example.com/v1/forecast' })?.attribution).toBe(
      'open-meteo.com.example.com',
    );
    expect(weather({ WEATHER_URL: url, WEATHER_ATTRIBUTION: 'The Met' })?.attribution).toBe('The Met');
  });

  it.each([['http://localhost:8080/v1/forecast'], ['http://127.0.0.1/f'], ['http://[::1]:1/f']])(
    'may be on this machine: %s',
    (url) => {
      expect(weather({ WEATHER_URL: url })?.url).toBe(url);
    },
  );

  it.each([
    ['http://weather.example.com/v1', 'give an https address'],
    ['http://localhost.example.com/v1', 'give an https address'],
    ['http://127.example.com/v1', 'give an https address'],
    ['https://me@weather.example.com/v1', 'WEATHER_TOKEN'],
    ['file:///etc/passwd', "WEATHER_URL can't be read"],
    ['/v1/forecast', "WEATHER_URL can't be read"],
  ])('%s is refused', (url, fieldError) => {
    expect(() => weather({ WEATHER_URL: url })).toThrow(fieldError);
  });
});
