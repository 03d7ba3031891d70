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

/** Which units of the farm itself are taken by their number: its spares, or all that are out of service. */
export type Takes = 'spares' | 'shelved';

/**
 * What to tell of a number that was found. `farmUID`: the farm that the form is about; it takes none that is there already, unless it
 * says which.
 */
export function lookupText(
  use: SerialUse,
  farmUID: string,
  takes?: Takes,
): { text: string; isWarning: boolean } {
  const { mac, currentlyActive, isSpare } = use;
  const isHere = use.farmUID === farmUID;
  let text = 'This serial number is not in the register: enter the MAC from its label.';
  let remedy = '';
  // Without a farm it is on none that one may read, as far as is told.
  if (mac && !currentlyActive && !isSpare && !use.farmUID) text = 'MAC address found.';
  else if (mac) {
    const where = isHere ? 'this farm' : use.farmName || 'another farm';
    const standing = currentlyActive ? 'In use' : isSpare ? 'A spare' : 'Out of service';
    text = `${standing} on ${where}${use.name && ` as ${use.name}`}.`;
    // A unit is on one farm at a time, also as a spare.
    if (!isHere || !takes) remedy = ' Delete it there first.';
    else if (currentlyActive || (!isSpare && takes === 'spares')) remedy = ' Make it a spare first.';
  }
  return { text: text + remedy, isWarning: remedy !== '' };
}
