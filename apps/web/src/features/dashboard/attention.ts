import type { FlowSummary } from '@headrace/contract/flow';
import type { Confidence, MeterInsight, TankInsight } from '@headrace/contract/insights';
import type { SoilSite } from '@headrace/contract/soil-moisture';
import type { SiteGateway, TankSummary } from '@headrace/contract/tanks';
import type { Condition } from '../../ui/tokens.ts';
import type { MapFilter } from '../tanks/map-filter.ts';
import { countTanks, isTankOut, mayLeak } from '../tanks/tank-facts.ts';

/** What is known of a farm's devices; absent: not yet, or it may not be read. */
export interface Devices {
  tanks?: readonly TankSummary[] | undefined;
  meters?: readonly FlowSummary[] | undefined;
  sites?: readonly SoilSite[] | undefined;
  gateways?: readonly SiteGateway[] | undefined;
  /** What their readings point to. */
  insights?: Insights | undefined;
}

interface Insights {
  tanks: readonly Pick<TankInsight, '_id' | 'leak' | 'pump'>[];
  meters: readonly Pick<MeterInsight, '_id' | 'leak'>[];
}

export type Leads = { filter: MapFilter } | { card: 'Tank' | 'Flow' | 'SoilMoisture' } | { list: 'gateways' };

export interface Fault {
  count: number;
  words: string;
  condition: Extract<Condition, 'issue' | 'caution'>;
  leads: Leads;
}

export const isOfTanks = ({ leads }: Fault): boolean =>
  'filter' in leads || ('card' in leads && leads.card === 'Tank');

const many = (count: number, one: string) => (count === 1 ? one : `${one}s`);

/** "2 flow meters" */
export const counted = (count: number, one: string) => `${count} ${many(count, one)}`;

const howMany = <T>(list: readonly T[] | undefined, is: (one: T) => boolean) => list?.filter(is).length ?? 0;

/** What is wrong on a farm, the worst first. Of tanks it is said without their name where nothing else is wrong. */
export function faultsOf({ tanks = [], meters, sites, gateways, insights }: Devices, now: number): Fault[] {
  const { out, lowBattery, lowLevel, invalid } = countTanks(tanks, now);
  const leaks = leaksOf(insights);
  const leaking = howMany(tanks, (tank) => (mayLeak(tank) || leaks.has(tank._id)) && !isTankOut(tank, now));
  const pumps = howMany(
    insights?.tanks,
    ({ _id, pump }) => isSure(pump) && !tanks.some((tank) => tank._id === _id && isTankOut(tank, now)),
  );
  const offline = howMany(gateways, ({ connected }) => !connected);
  const metersOut = howMany(meters, ({ isOutOfContact }) => isOutOfContact);
  const metersInvalid = howMany(meters, (meter) => meter.invalid && !meter.isOutOfContact);
  const metersLeaking = howMany(meters, (meter) => leaks.has(meter._id) && !meter.isOutOfContact);
  const sitesOut = howMany(sites, ({ isOutOfContact }) => isOutOfContact);
  const probesInvalid = countInvalidProbes(sites);
  const isMixed = offline + metersOut + metersInvalid + metersLeaking + sitesOut + probesInvalid > 0;
  const ofTanks = (count: number, words: string) => (isMixed ? `${many(count, 'tank')} ${words}` : words);
  const faults: Fault[] = [
    {
      count: offline,
      words: `${many(offline, 'gateway')} offline`,
      condition: 'issue',
      leads: { list: 'gateways' },
    },
    {
      count: out,
      words: ofTanks(out, 'out of contact'),
      condition: 'issue',
      leads: { filter: 'OutOfContact' },
    },
    { count: leaking, words: many(leaking, 'possible leak'), condition: 'issue', leads: { card: 'Tank' } },
    {
      count: metersLeaking,
      words: `${many(metersLeaking, 'possible leak')} behind ${metersLeaking === 1 ? 'a flow meter' : 'flow meters'}`,
      condition: 'issue',
      leads: { card: 'Flow' },
    },
    {
      count: pumps,
      words: `${many(pumps, 'pump')} may be lifting too little`,
      condition: 'issue',
      leads: { card: 'Tank' },
    },
    {
      count: metersOut,
      words: `${many(metersOut, 'flow meter')} out of contact`,
      condition: 'issue',
      leads: { card: 'Flow' },
    },
    {
      count: sitesOut,
      words: `${many(sitesOut, 'soil site')} out of contact`,
      condition: 'issue',
      leads: { card: 'SoilMoisture' },
    },
    {
      count: lowLevel,
      words: ofTanks(lowLevel, 'low level'),
      condition: 'caution',
      leads: { filter: 'LowVolume' },
    },
    {
      count: invalid,
      words: ofTanks(invalid, 'invalid value'),
      condition: 'caution',
      leads: { card: 'Tank' },
    },
    {
      count: metersInvalid,
      words: `${many(metersInvalid, 'flow meter')} invalid value`,
      condition: 'caution',
      leads: { card: 'Flow' },
    },
    {
      count: probesInvalid,
      words: `${many(probesInvalid, 'soil sensor')} invalid value`,
      condition: 'caution',
      leads: { card: 'SoilMoisture' },
    },
    {
      count: lowBattery,
      words: ofTanks(lowBattery, 'low battery'),
      condition: 'caution',
      leads: { filter: 'LowBattery' },
    },
  ];
  return faults.filter(({ count }) => count > 0);
}

/** Ids of tanks and meters whose readings point to a leak. What has low confidence is on their cards alone: no alarm. */
const leaksOf = ({ tanks, meters }: Insights = { tanks: [], meters: [] }): ReadonlySet<string> =>
  new Set([...tanks, ...meters].filter(({ leak }) => isSure(leak)).map(({ _id }) => _id));

const isSure = (finding: { confidence: Confidence } | null): boolean =>
  finding !== null && finding.confidence !== 'low';

/** Of sites that speak: of the others the last word is no news. */
const countInvalidProbes = (sites: readonly SoilSite[] = []): number =>
  sites.reduce((sum, site) => sum + (site.isOutOfContact ? 0 : site.invalidProbes.length), 0);

/** What there is to say of a farm on which nothing is wrong; empty when it has no devices. */
export function wellText({ tanks = [], meters = [], sites = [], gateways = [] }: Devices): string {
  const others = [
    [meters.length, 'flow meter'],
    [sites.length, 'soil site'],
    [gateways.length, 'gateway'],
  ] as const;
  const named = others.flatMap(([count, one]) => (count > 0 ? [counted(count, one)] : []));
  const total = named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  const isOne = named.length === 1 && meters.length + sites.length + gateways.length === 1;
  const ofOthers = total && `${total} ${isOne ? 'is' : 'are'} in contact.`;
  if (tanks.length === 0) return ofOthers;
  const whose = tanks.length === 1 ? 'The tank is' : `All ${counted(tanks.length, 'tank')} are`;
  return `${whose} in contact, with water and battery.${ofOthers && ` ${ofOthers}`}`;
}
