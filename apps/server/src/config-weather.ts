import type { Reader } from './config-sending.ts';
import type { WeatherSettings } from './features/weather/open-meteo.ts';

const OPEN_METEO = 'Weather data by Open-Meteo.com (CC BY 4.0)';

/** Where rain forecasts come from; null: none. docs/configuration.md describes each variable. */
export function readWeather(read: Reader): WeatherSettings | null {
  const url = read.url('WEATHER_URL', ['https:', 'http:']);
  const token = read.text('WEATHER_TOKEN');
  const attribution = read.text('WEATHER_ATTRIBUTION');
  if (url === null) return null;
  const { protocol, hostname, username } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname))
    read.fault('WEATHER_URL begins with http: give an https address, or one of this machine.');
  if (username !== '') read.fault('WEATHER_URL has a user name in it: give the key as WEATHER_TOKEN.');
  return { url, token, attribution: attribution ?? ownerOf(hostname) };
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

const ownerOf = (hostname: string) => (/(^|\.)open-meteo\.com$/.test(hostname) ? OPEN_METEO : hostname);
