import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseBrokerUrl } from './mqtt/broker-address.ts';
import { isAddressOrNetwork, type TrustedProxies } from './http/trusted-proxies.ts';

/** Reads variables of the environment, each by its kind; what can't be used is a sentence among the faults. */
export function createReader(env: NodeJS.ProcessEnv, cwd: string, faults: string[]) {
  const text = (name: string) => env[name]?.trim() || null;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const raw = text(name);
    if (raw === null) return fallback;
    const value = Number(raw);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    faults.push(`${name} is "${raw}": give a whole number from ${min} to ${max}.`);
    return fallback;
  };
  const flag = (name: string) => {
    const raw = text(name);
    if (raw === null || raw === 'false' || raw === '0') return false;
    if (raw === 'true' || raw === '1') return true;
    faults.push(`${name} is "${raw}": give true or false.`);
    return false;
  };
  const proxies = (name: string): TrustedProxies => {
    const raw = text(name);
    if (raw === 'true') return 1;
    if (raw === null || raw === 'false') return 0;
    if (/^[0-9]$/.test(raw)) return Number(raw);
    const addresses = raw.split(',').map((part) => part.trim());
    if (addresses.every(isAddressOrNetwork)) return addresses;
    faults.push(
      `${name} is "${raw}": give true, false, how many proxies stand before the server, or their addresses.`,
    );
    return 0;
  };
  /** `more`: what else a remedy has to say. */
  const url = (name: string, protocols: string[], more = '') => {
    const raw = text(name);
    if (raw === null) return null;
    if (URL.canParse(raw) && protocols.includes(new URL(raw).protocol)) return raw;
    faults.push(
      `${name} can't be read: give an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}${more}.`,
    );
    return null;
  };
  const broker = (name: string) => {
    const raw = text(name);
    try {
      if (raw !== null) parseBrokerUrl(raw);
      return raw;
    } catch {
      faults.push(
        `${name} can't be read: give an address like mqtt://host:1883 or mqtts://host:8883, with % in a password as %25.`,
      );
      return null;
    }
  };
  const path = (name: string) => {
    const raw = text(name);
    return raw === null ? null : resolve(cwd, raw);
  };
  const pem = (name: string) => {
    const path = text(name);
    if (path === null) return undefined;
    try {
      const content = readFileSync(resolve(cwd, path), 'utf8');
      if (content.includes('-----BEGIN ')) return content;
      faults.push(`${name} names ${path}, which is no PEM file: it begins with -----BEGIN.`);
    } catch {
      faults.push(`${name} names ${path}, which can't be read: give the path of a PEM file.`);
    }
    return undefined;
  };
  return {
    text,
    integer,
    flag,
    proxies,
    url,
    broker,
    pem,
    path,
    fault: (sentence: string) => void faults.push(sentence),
  };
}

export type Reader = ReturnType<typeof createReader>;
