import { useState } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PlanAnnex } from '@headrace/contract/plan-annex';
import { countText } from '@headrace/contract/rules/number-text';
import { fileWord } from '@headrace/contract/rules/files/file-word';
import { seasonOf } from '@headrace/paper/reports/annex-season';
import { call, download } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { farmQuery } from '../../farm/farms.queries.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { farmDay, isChosen, lastDays, type PeriodChoice } from '../../time-range/period.ts';
import { FileRows } from '../../ui/file-rows.tsx';
import { numberText } from '../../ui/format.ts';
import { MadeFileRow } from '../../ui/made-file-row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { askAgainMs } from './annex-again.ts';
import classes from './plan-annex.module.css';

const YEAR = 365;

interface Asked {
  farmUID: string;
  start: string;
  stop: string;
}

const planAnnexQuery = (query: Asked, isReady: boolean) =>
  queryOptions({
    queryKey: ['plan-annex', query.farmUID, query.start, query.stop],
    queryFn: async ({ signal }) => {
      const begun = performance.now();
      const annex = await call('GET /reports/plan-annex', { query, signal });
      return { annex, tookMs: performance.now() - begun };
    },
    enabled: isReady,
    staleTime: 60_000,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && askAgainMs(data.annex.toReckon, data.tookMs),
  });

/** What a farm environment plan asks of irrigation, to look at and to take along. */
export default function PlanAnnexDialog({ farmUID, onClose }: { farmUID: string; onClose: () => void }) {
  const [isOpen, setIsOpen] = useState(true);
  const [choice, setChoice] = useState<PeriodChoice>({ period: 'Year' });
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const asked = { farmUID, ...daysOf(choice, farmDay(zone, serverNow())) };
  const query = useQuery(planAnnexQuery(asked, hasZone));
  const farm = useQuery(farmQuery(farmUID)).data;
  const name = `farm-environment-plan-${farm ? `${fileWord(farm.name)}-` : ''}${asked.start}-${asked.stop}`;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={onClose}
      title="Annex for a farm environment plan"
      size={640}
    >
      <p className={classes.about}>
        Depth by month and group beside rain, how the soil was when watering began, meters and leaks: what was
        measured up to yesterday, and how complete it is.
      </p>
      <PeriodFilter choice={choice} zone={zone} offered={['Year', 'Custom']} onChange={setChoice} />
      <StateView
        query={query}
        failed="The figures couldn't be loaded"
        skeleton={<Skeleton blocks={4} blockPx={48} />}
      >
        {({ annex }) => <Figures annex={annex} />}
      </StateView>
      {hasZone && (
        <FileRows>
          <MadeFileRow
            key={`${name}.csv`}
            file={`${name}.csv`}
            text="The rows by group and month, for a spreadsheet."
            make={() => download('GET /reports/plan-annex.csv', { query: asked })}
          />
          <MadeFileRow
            key={`${name}.pdf`}
            file={`${name}.pdf`}
            text="The same on paper, with a map and a chart."
            make={() => download('GET /reportspdf/plan-annex', { query: asked })}
          />
        </FileRows>
      )}
    </Dialog>
  );
}

/** Today isn't over. */
function daysOf(choice: PeriodChoice, today: string): { start: string; stop: string } {
  const [, yesterday] = lastDays(lastDays(today, 2)[0], 1);
  if (isChosen(choice) && choice.from && choice.to) {
    const stop = choice.to < yesterday ? choice.to : yesterday;
    return { start: choice.from < stop ? choice.from : stop, stop };
  }
  return { start: lastDays(yesterday, YEAR)[0], stop: yesterday };
}

function Figures({ annex }: { annex: PlanAnnex }) {
  const { groups, months, rain, toReckon, leakCount, isWatchedForLeaks, meters } = annex;
  const rainDays = rain.reduce((sum, { known }) => sum + known, 0);
  const rainMm = rain.reduce((sum, { mm }) => sum + (mm ?? 0), 0);
  return (
    <>
      {toReckon > 0 && (
        <output className={classes.reckoned}>
          {toReckon === 1 ? 'One day is' : `${numberText(toReckon)} days are`} still being reckoned. What is
          made now leaves {toReckon === 1 ? 'it' : 'them'} out.
        </output>
      )}
      {groups.length === 0 && <p>The farm has no groups: no depth is known.</p>}
      {groups.length > 0 && (
        // What scrolls has to be reached by keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={classes.scroll} tabIndex={0} aria-label="Depth by group">
          <table className={`${classes.table} num`}>
            <thead>
              <tr>
                <th scope="col">Group</th>
                <th scope="col">Depth</th>
                <th scope="col">Days known</th>
                <th scope="col">Begun wetter</th>
              </tr>
            </thead>
            <tbody>
              {groups.map(({ uid, name }) => (
                <Group key={uid} name={name} months={months.filter(({ groupUID }) => groupUID === uid)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className={classes.facts}>
        {rainDays === 0
          ? 'Rain: not measured.'
          : `Rain: ${numberText(rainMm, 1)} mm, known of ${countText(rainDays, 'day')}.`}{' '}
        {meters.length === 0
          ? 'No meter of a water take.'
          : `${countText(meters.length, 'meter')} of water takes.`}{' '}
        {leakCount === 0
          ? isWatchedForLeaks
            ? 'No leak was told of.'
            : 'No alert watches for leaks of tanks.'
          : `${countText(leakCount, 'leak')} ${leakCount === 1 ? 'was' : 'were'} told of.`}{' '}
        Bucket tests: not measured. Begun wetter are the days on which watering began while the soil was still
        wetter than its refill point.
      </p>
    </>
  );
}

/** "12.3 mm"; "12.3 to 14.0 mm" where some of it isn't known. */
function depthText({ mm, mostMm }: Pick<ReturnType<typeof seasonOf>, 'mm' | 'mostMm'>): string {
  if (mm === null) return 'not known';
  const [least, most] = [numberText(mm, 1), numberText(mostMm ?? mm, 1)];
  return least === most ? `${least} mm` : `${least} to ${most} mm`;
}

function Group({ name, months }: { name: string; months: PlanAnnex['months'] }) {
  const { known, days, mm, mostMm, read, wetter } = seasonOf(months);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{depthText({ mm, mostMm })}</td>
      <td>
        {numberText(known)} of {numberText(days)}
      </td>
      <td>
        {wetter === null || read === 0 ? 'not measured' : `${numberText(wetter)} of ${numberText(read)}`}
      </td>
    </tr>
  );
}
