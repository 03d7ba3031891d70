import type { ReactNode } from 'react';
import { IconDropletExclamation, IconEngine, IconHourglassLow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { TankInsight } from '@headrace/contract/insights';
import { emptyText, leakText, pumpText } from './insight-words.ts';
import { insightsQuery } from './insights.queries.ts';
import classes from './insights.module.css';

/**
 * Something reckoned, and at a tap what it rests on. A leak of low confidence is told without a warning's colour: where one
 * irrigates by night it stands there every day.
 */
function Finding(props: { icon: ReactNode; text: string; basis: string; isWarning?: boolean }) {
  const { icon, text, basis, isWarning = false } = props;
  return (
    <details className={classes.finding} data-warning={isWarning || undefined}>
      <summary>
        {icon}
        <span>{text}</span>
      </summary>
      <p>{basis}</p>
    </details>
  );
}

const look = { size: 17, 'aria-hidden': true } as const;
/** A tank that may be empty within this stands out, days. */
const SOON_DAYS = 3;

/** What a tank's readings point to, worst first; nothing where they point to nothing. */
export function TankFindings({ insight, zone }: { insight: TankInsight | undefined; zone: Timezone }) {
  if (!insight) return null;
  const { leak, pump, untilEmpty } = insight;
  if (!leak && !pump && !untilEmpty) return null;
  return (
    <div className={classes.findings}>
      {leak && (
        <Finding
          isWarning={leak.confidence !== 'low'}
          icon={<IconDropletExclamation {...look} />}
          text={leakText(leak, zone)}
          basis={leak.basis}
        />
      )}
      {pump && <Finding isWarning icon={<IconEngine {...look} />} text={pumpText(pump)} basis={pump.basis} />}
      {untilEmpty && (
        <Finding
          isWarning={untilEmpty.days <= SOON_DAYS}
          icon={<IconHourglassLow {...look} />}
          text={emptyText(untilEmpty)}
          basis={untilEmpty.basis}
        />
      )}
    </div>
  );
}

/** A meter's flow by night that may be a leak. */
export function MeterFindings(props: { farmUID: string; meterId: string; zone: Timezone }) {
  const { farmUID, meterId, zone } = props;
  const { data } = useQuery(insightsQuery(farmUID));
  const leak = data?.meters.find(({ _id }) => _id === meterId)?.leak;
  if (!leak) return null;
  return (
    <div className={classes.findings}>
      <Finding
        isWarning={leak.confidence !== 'low'}
        icon={<IconDropletExclamation {...look} />}
        text={leakText(leak, zone)}
        basis={leak.basis}
      />
    </div>
  );
}
