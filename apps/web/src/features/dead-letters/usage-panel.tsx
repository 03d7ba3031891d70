import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import type { FarmUsage } from '@headrace/contract/usage';
import { wholeText } from '@headrace/contract/rules/number-text';
import { exactTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { ShareUsed } from '../../ui/share-used.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { usageQuery } from './letters.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './letters.module.css';

/** What the farm's devices wrote today, and what they may; for those who may read the farm. */
export function UsagePanel({ farmUID }: { farmUID: string }) {
  return useCan(needs.readFarm, farmUID) ? <Usage farmUID={farmUID} /> : null;
}

function Usage({ farmUID }: { farmUID: string }) {
  const query = useQuery(usageQuery(farmUID));
  const zone = useFarmZone(farmUID);
  return (
    <Panel title="Usage of this farm">
      <StateView query={query} failed="The usage couldn't be loaded" skeleton={<Skeleton blockPx={64} />}>
        {(usage) => (
          <>
            <dl className={classes.usage}>
              {linesOf(usage).map(({ name, used, limit, text }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="num">
                    {text} <ShareUsed used={used} limit={limit} />
                  </dd>
                </div>
              ))}
            </dl>
            {usage.readings.refused > 0 && (
              <p className={classes.why}>
                {wholeText(usage.readings.refused)} readings of today came beyond a limit and were not taken.
              </p>
            )}
            <p className={classes.note}>
              Days are counted anew at {exactTime(Date.parse(usage.resetsAt), zone)}.
            </p>
          </>
        )}
      </StateView>
    </Panel>
  );
}

interface Line {
  name: string;
  used: number;
  limit: number;
  text: string;
}

function linesOf({ readings, series, codecs, letters }: FarmUsage): Line[] {
  const of = (used: number, limit: number) => ({
    used,
    limit,
    text: `${wholeText(used)} of ${wholeText(limit)}`,
  });
  const lines: Line[] = [
    { name: 'Readings today', ...of(readings.today, readings.limit) },
    { name: "Readings today, all of the owner's farms", ...of(readings.accountToday, readings.accountLimit) },
    { name: 'Values that are kept', ...of(series.count, series.limit) },
    { name: 'Payload codecs', ...of(codecs.count, codecs.limit) },
  ];
  const { keptBytes, limitBytes } = letters;
  const text = `${megabytes(keptBytes)} of ${megabytes(limitBytes)} MB`;
  return [
    ...lines,
    { name: 'Room for messages that were not taken', used: keptBytes, limit: limitBytes, text },
  ];
}

const megabytes = (bytes: number) =>
  (bytes / 1_048_576).toLocaleString('en-NZ', { maximumFractionDigits: 1 });
