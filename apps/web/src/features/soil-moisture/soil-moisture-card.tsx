import { useCallback, useEffect, useMemo } from 'react';
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { farmPatch, stressBandsOf } from '@headrace/contract/rules/settings-farms';
import type { Settings } from '@headrace/contract/settings';
import type { SoilSite } from '@headrace/contract/soil-moisture';
import { warmChartsLater } from '../../charts/chart.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { keepFilter, keptFilter, keptPeriod } from '../../time-range/kept-filter.ts';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import type { PeriodChoice } from '../../time-range/period.ts';
import { RainAhead } from './rain-ahead.tsx';
import { RefillLine } from './refill-line.tsx';
import { SiteNow } from './site-now.tsx';
import { SoilHistory } from './soil-history.tsx';
import { chosenSite, siteSettings, soilTypes } from './soil-plot.ts';
import { soilSitesQuery } from './soil.queries.ts';
import classes from './soil-card.module.css';

const WEEK: PeriodChoice = { period: 'Week' };
/** The band where one irrigates again. spec 1 §3 */
const REFILL_BAND = 3;

/** How dry the ground is at one of the farm's sites, what rain did, and when it needs water. */
export function SoilMoistureCard({ farm }: CardProps) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  const query = useQuery(soilSitesQuery(farm._id));
  useEffect(warmChartsLater, []);
  const sites = query.data ?? [];
  const site = chosenSite(settings, farm._id, sites);
  return (
    <CardFrame
      type="SoilMoisture"
      title="Soil Moisture"
      actions={
        sites.length > 1 && (
          <NativeSelect
            aria-label="Site"
            size="md"
            value={site?.id}
            data={sites.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) =>
              saveSettings(queryClient, {
                farms: [farmPatch(farm, { smCurrDisplayed: currentTarget.value })],
              })
            }
          />
        )
      }
    >
      <StateView
        query={query}
        failed="The soil moisture sites couldn't be loaded"
        skeleton={<div className={classes.skeleton} aria-hidden="true" />}
        isEmpty={(found) => found.length === 0}
        empty={
          <Empty title="No items to display.">
            Add a soil moisture sensor to this farm and it appears here.
          </Empty>
        }
      >
        {() =>
          site && (
            <Site key={site.id} farm={farm} site={site} settings={settings} isAlone={sites.length === 1} />
          )
        }
      </StateView>
    </CardFrame>
  );
}

interface SiteProps {
  farm: FarmCard;
  site: SoilSite;
  settings: Settings;
  /** Without others to choose from, its name isn't above. */
  isAlone: boolean;
}

function Site({ farm, site, settings, isAlone }: SiteProps) {
  const queryClient = useQueryClient();
  const zone = useChartZone(farm._id);
  const canHistory = useCan(needs.readSensors, farm._id);
  // The same while the settings are: another list would draw the chart anew.
  const bands = useMemo(() => stressBandsOf(settings, farm._id, site.id), [settings, farm._id, site.id]);
  const choice = keptPeriod(keptFilter(settings, farm._id, 'SoilMoisture')) ?? WEEK;
  const change = useCallback(
    (next: PeriodChoice) =>
      saveSettings(queryClient, keepFilter(settings, farm, 'SoilMoisture', { choice: next })),
    [queryClient, settings, farm],
  );
  const soilType = soilTypes[siteSettings(settings, farm._id, site.id)?.soilType ?? 0];
  const refillBand = bands.find(({ idx }) => idx === REFILL_BAND)?.name ?? 'Refill';
  return (
    <>
      {(isAlone || soilType) && (
        <p className={classes.site}>
          {isAlone && <b>{site.name}</b>}
          {soilType && <span>{soilType}</span>}
        </p>
      )}
      {canHistory && <SiteNow site={site} bands={bands} zone={zone} />}
      <RefillLine farmUID={farm._id} siteId={site.id} bandName={refillBand} />
      {canHistory && (
        <>
          <PeriodFilter choice={choice} zone={zone} onChange={change} />
          <SoilHistory
            farm={farm}
            site={site}
            settings={settings}
            bands={bands}
            choice={choice}
            onChoice={change}
            zone={zone}
          />
        </>
      )}
      <RainAhead farmUID={farm._id} zone={zone} />
    </>
  );
}
