import { useEffect, useRef, useState } from 'react';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { DeviceFormKind } from '@headrace/contract/rules/device-form';
import { call } from '../../api/client.ts';

/** A pause in typing after which a serial number is looked up, ms. */
const PAUSE_MS = 400;

export type SerialKind = Exclude<DeviceFormKind, 'poi'>;

/** What is registered under a serial number. Names are empty where the farm isn't one we may read. */
export interface SerialUse {
  readonly mac: string;
  readonly currentlyActive: boolean;
  readonly isSpare: boolean;
  readonly name: string;
  readonly farmName: string;
  readonly farmUID: string;
}

/** From so many characters on a serial number is looked up. spec 1 §5 */
export const lookupFrom = (kind: SerialKind): number => (kind === 'sprinkler' || kind === 'repeater' ? 4 : 3);

const unused = { currentlyActive: false, isSpare: false, name: '', farmName: '', farmUID: '' };

async function lookUp(kind: SerialKind, serialNumber: string, type: string, signal: AbortSignal) {
  const query = { serialNumber, ...(type && { type }) };
  if (kind === 'gateway') return call('GET /macgateway', { query, signal });
  if (kind === 'sensor') return call('GET /macsensor', { query, signal });
  const found = await call('GET /mac', { query: { serialNumber, type: 'exclude-spares' }, signal });
  return 'isSpare' in found ? found : { ...unused, ...found };
}

const serialQuery = (kind: SerialKind, serialNumber: string, type: string) =>
  queryOptions({
    queryKey: ['serial', kind, serialNumber, type],
    queryFn: ({ signal }): Promise<SerialUse> => lookUp(kind, serialNumber, type, signal),
    enabled: serialNumber.length >= lookupFrom(kind),
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Finds the MAC for somebody who saved before it was looked up; null when there is nothing to look up. */
export function findMac(
  queryClient: QueryClient,
  kind: SerialKind,
  entered: { readonly serialNumber: string; readonly macAddress: string },
  type = '',
): Promise<{ macAddress: string }> | null {
  const serialNumber = entered.serialNumber.trim();
  if (entered.macAddress.trim() !== '' || serialNumber.length < lookupFrom(kind)) return null;
  const { queryKey, queryFn } = serialQuery(kind, serialNumber, type);
  return queryClient.fetchQuery({ queryKey, queryFn, retry: false }).then(({ mac }) => ({ macAddress: mac }));
}

/** Looks a serial number up as it is typed. `own` is the number of the device itself: not asked about. */
export function useSerialLookup(kind: SerialKind, typed: string, own: string, type = '') {
  const serialNumber = typed.trim();
  const settled = useSettled(serialNumber);
  const isAsked = settled !== own.trim() && settled.length >= lookupFrom(kind);
  const query = useQuery({ ...serialQuery(kind, settled, type), enabled: isAsked });
  const isCurrent = isAsked && settled === serialNumber && !query.isPlaceholderData;
  return {
    found: isCurrent ? query.data : undefined,
    isLooking: serialNumber !== settled || (isAsked && query.isFetching),
    isFailed: isCurrent && query.isError,
  };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/**
 * Fills the box of the MAC with what was found, unless somebody entered another, and takes it out again when the number
 * typed on is no longer that device's. `own`: the MAC of the device itself. Gives whether it is about to fill.
 */
export function useFoundMac(
  found: SerialUse | undefined,
  mac: { readonly value: string; readonly onChange: (value: string) => void },
  own = '',
): boolean {
  const filled = useRef('');
  const isOurs = mac.value.trim() === '' || mac.value === filled.current || mac.value === own;
  const foundMac = found?.mac;
  useEffect(() => {
    const isStale = foundMac === '' && filled.current !== '' && mac.value === filled.current;
    if (!isStale && (!foundMac || !isOurs || foundMac === mac.value)) return;
    filled.current = foundMac ?? '';
    mac.onChange(filled.current);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [foundMac]);
  // Not before it stands in its field.
  return isOurs && Boolean(foundMac) && foundMac !== mac.value;
}

/** What to tell of a number that was found. `farmUID`: the farm that the form is about. */
export function lookupText(use: SerialUse, farmUID: string): { text: string; isWarning: boolean } {
  if (!use.mac)
    return {
      text: 'This serial number is not in the register: enter the MAC from its label.',
      isWarning: false,
    };
  const isHere = use.farmUID === farmUID;
  const where = isHere ? 'this farm' : use.farmName || 'another farm';
  const as = use.name && ` as ${use.name}`;
  // A spare keeps its number: on its own farm it is no way to have the number twice.
  if (use.currentlyActive && isHere)
    return { text: `In use on this farm${as}. Delete it there first.`, isWarning: true };
  if (use.currentlyActive)
    return { text: `In use on ${where}${as}. Delete it there first, or make it a spare.`, isWarning: true };
  if (use.isSpare) return { text: `A spare on ${where}${as}.`, isWarning: false };
  return { text: 'MAC address found.', isWarning: false };
}
