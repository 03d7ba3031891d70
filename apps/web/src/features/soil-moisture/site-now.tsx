import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { outOfContactText } from '@headrace/contract/rules/contact';
import {
  isValidTension,
  type SoilProbe,
  soilProbes,
  tensionLook,
} from '@headrace/contract/rules/soil-moisture';
import type { StressBand } from '@headrace/contract/settings';
import type { SoilReading, SoilSite } from '@headrace/contract/soil-moisture';
import { serverNow } from '../../api/server-time.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { RetryButton } from '../../ui/state-view.tsx';
import { farmDay } from '../../time-range/period.ts';
import { probeName } from './probe-name.ts';
import { soilHistoryQuery } from './soil.queries.ts';
import classes from './soil-card.module.css';

export interface SiteNowProps {
  site: SoilSite;
  bands: readonly StressBand[];
  zone: Timezone;
}

/** How dry it is at each probe now, with the person's word for it. */
export function SiteNow({ site, bands, zone }: SiteNowProps) {
  const now = useNow();
  const at = site.statusTime === null ? null : Date.parse(site.statusTime);
  const isOut = site.isOutOfContact || at === null || now - at > TANK_OUT_OF_CONTACT_MS;
  return (
    <>
      {at === null ? (
        <p className={classes.none}>No data</p>
      ) : (
        <Probes site={site} at={at} bands={bands} zone={zone} isOut={isOut} />
      )}
      {isOut && (
        <p className={classes.out}>
          <ConditionDot condition="issue" label={null} /> {outOfContactText(at, now)}
        </p>
      )}
    </>
  );
}

/** The readings of the day on which the site spoke last, whenever that was. */
function Probes({ site, at, bands, zone, isOut }: SiteNowProps & { at: number; isOut: boolean }) {
  const day = farmDay(zone, at);
  const to = day === farmDay(zone, serverNow()) ? undefined : day;
  const { data, isError, isFetching, refetch } = useQuery(soilHistoryQuery(site.id, { from: day, to }));
  if (!data && isError)
    return (
      <p className={classes.out} role="alert">
        The last reading couldn't be loaded.{' '}
        <RetryButton onClick={() => void refetch()} isBusy={isFetching} />
      </p>
    );
  if (!data) return <div className={classes.nowSpace} aria-busy="true" />;
  const last = data.readings.at(-1);
  if (!last) return <p className={classes.none}>No data</p>;
  const isInvalid = (probe: SoilProbe) => site.invalidProbes.includes(probe);
  const recent = data.readings.filter(
    ({ dateTime }) => Date.parse(last.dateTime) - Date.parse(dateTime) <= TANK_OUT_OF_CONTACT_MS,
  );
  const reported = soilProbes.filter(
    (probe) => probe === 'swp1' || probe === 'swp2' || isInvalid(probe) || hasSpoken(data.readings, probe),
  );
  return (
    <dl className={classes.now} data-stale={isOut || undefined}>
      {reported.map((probe) => (
        <div key={probe}>
          <dt>{probeName(probe, site)}</dt>
          <dd>
            <Tension kpa={lastOf(recent, probe)} isInvalid={isInvalid(probe)} bands={bands} />
          </dd>
        </div>
      ))}
      <div>
        <dt>Measured</dt>
        <dd className={classes.age}>
          <Age at={last.dateTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} />
        </dd>
      </div>
    </dl>
  );
}

/** A message may tell of some sensors and the next one of the others: the newest word of each counts. */
const lastOf = (readings: readonly SoilReading[], probe: SoilProbe): number | null =>
  readings.findLast((reading) => isValidTension(reading[probe]))?.[probe] ?? null;

const hasSpoken = (readings: readonly SoilReading[], probe: SoilProbe) =>
  readings.some((reading) => isValidTension(reading[probe]));

interface TensionProps {
  kpa: number | null;
  /** Its newest word is no tension: a fault, not a probe that isn't there. */
  isInvalid: boolean;
  bands: readonly StressBand[];
}

function Tension({ kpa, isInvalid, bands }: TensionProps) {
  if (isInvalid || kpa === null)
    return <span className={classes.wrong}>{isInvalid ? 'Invalid sensor value' : 'No data'}</span>;
  const { colour, label } = tensionLook(bands, kpa);
  return (
    <>
      <i className={classes.drop} style={{ background: colour }} aria-hidden="true" />
      <Quantity value={kpa} unit="kPa" className={classes.kpa} />
      {label && <span className={classes.band}>{label}</span>}
    </>
  );
}
