import type { ReactNode } from 'react';
import { IconDropletExclamation, IconEngine, IconHourglassLow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { TankInsight } from '@headrace/contract/insights';
import { isSure } from '@headrace/contract/rules/tank-state';
import { emptyText, leakText, pumpText } from './insight-labels.ts';
import { insightsQuery } from './insights.queries.ts';
import classes from './insights.module.css';

/**
 * Something reckoned, and at a tap what it rests on. A leak of low confidence is told without a warning's colour: where one
 * irrigates by night it stands there every day.
 */
function Finding(props: {
  icon: ReactNode;
  text: string;
  basis: string;
  condition?: 'issue' | 'caution' | undefined;
}) {
  const { icon, text, basis, condition } = props;
  return (
    <details className={classes.finding} data-condition={condition}>
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

/** What a tank's readings point to, worst first; nothing where they point to nothing. `hasLeak`: it counts as leaking. */
export function TankFindings(props: { insight: TankInsight | undefined; zone: Timezone; hasLeak: boolean }) {
  const { insight, zone, hasLeak } = props;
  if (!insight) return null;
  const { leak, pump, untilEmpty } = insight;
  if (!leak && !pump && !untilEmpty) return null;
  return (
    <div className={classes.findings}>
      {leak && (
        <Finding
          condition={hasLeak ? 'issue' : undefined}
          icon={<IconDropletExclamation {...look} />}
          text={leakText(leak, zone, hasLeak)}
          basis={leak.basis}
        />
      )}
      {pump && (
        <Finding
          condition="caution"
          icon={<IconEngine {...look} />}
          text={pumpText(pump)}
          basis={pump.basis}
        />
      )}
      {untilEmpty && (
        <Finding
          condition={untilEmpty.days <= SOON_DAYS ? 'caution' : undefined}
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
        condition={isSure(leak) ? 'issue' : undefined}
        icon={<IconDropletExclamation {...look} />}
        text={leakText(leak, zone, isSure(leak))}
        basis={leak.basis}
      />
    </div>
  );
}
