import { quarterRows } from '@headrace/contract/rules/water-take/rows';
import type { VolumeStretch } from '@headrace/contract/rules/water-take/volume';
import type { Account } from '../features/water-takes/take-account.ts';

/** A take with one meter since 1970, of which these stretches are known. */
export function buildAccount(stretches: readonly VolumeStretch[], over: Partial<Account> = {}): Account {
  const [from, to] = [stretches[0]?.from ?? 0, stretches.at(-1)?.to ?? 0];
  const rows = [...quarterRows(stretches, from, to)];
  const meter: Account['take']['meters'][number] = {
    id: 1,
    uid: 'm',
    takeId: 1,
    deviceId: 1,
    deviceUID: 'd',
    device: 'Bore 1',
    isGone: false,
    metric: 'pulsesTotal',
    site: '123456M1',
    measure: 'Compliance Volume',
    startsAt: new Date(0),
    endsAt: null,
    verifiedOn: null,
    nextVerification: null,
    pipe: 'full',
    m3PerUnit: 1,
    isByVolume: false,
  };
  const places = [{ site: meter.site, measure: meter.measure, meters: [meter], stretches, rows }];
  return {
    time: { offsetMs: 43_200_000 },
    take: {
      id: 1,
      uid: 't',
      version: 1,
      updatedAt: new Date(0),
      consentNo: 'CRC1',
      holder: '',
      council: '',
      source: '',
      maxLps: null,
      maxM3Day: null,
      maxM37Day: null,
      maxM3Year: null,
      validFrom: null,
      validTo: null,
      restrictionNote: '',
      restrictions: [],
      meters: [meter],
      readings: [],
    },
    volumes: { places, rows, until: to, accuracy: 0.05, others: new Set(), heard: new Map() },
    range: { from, to },
    notes: [],
    outages: [],
    keptSince: 0,
    ...over,
  };
}
