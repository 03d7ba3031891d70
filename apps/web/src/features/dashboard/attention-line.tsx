import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { useNow } from '../../ui/clock.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useLastHeight } from '../../ui/use-last-height.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useCan } from '../access/permissions.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { insightsQuery } from '../insights/insights.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { tanksQuery, tankSiteQuery } from '../tanks/tanks.queries.ts';
import { counted, faultsOf, isOfTanks, wellText, type Devices, type Fault } from './attention.ts';
import type { BuiltCard } from './card-presence.ts';
import { cardAnchor } from './card-slot.tsx';
import classes from './dashboard.module.css';

export interface AttentionLineProps {
  farm: FarmCard;
  /** Cards that are on the page, to lead to. */
  shown: readonly BuiltCard[];
}

/** Of more than this a phone shows the worst, and the rest when it is asked for: below stand the numbers one came for. */
const PHONE_KINDS = 4;

/** Is anything wrong? One line, the worst first; each part leads to what it counts. */
export function AttentionLine({ farm, shown }: AttentionLineProps) {
  const { devices, isLoading, isWhole } = useDevices(farm);
  const { ref, minHeight } = useLastHeight(`attention.${farm._id}`, isWhole);
  return (
    <div ref={ref} className={classes.lineRoom} style={{ minHeight }}>
      <Line farm={farm} shown={shown} devices={devices} isLoading={isLoading} />
    </div>
  );
}

interface LineProps extends AttentionLineProps {
  devices: Devices;
  isLoading: boolean;
}

function Line({ farm, shown, devices, isLoading }: LineProps) {
  const now = useNow();
  const isMobile = useIsMobile();
  const [isOpen, setIsOpen] = useState(false);
  const faults = faultsOf(devices, now);
  if (faults.length === 0 && isLoading) return <div className={classes.lineSpace} aria-hidden="true" />;
  if (faults.length === 0) return <AllWell text={wellText(devices)} />;
  const isLong = isMobile && faults.length > PHONE_KINDS;
  // The last place of the few is for the way to the others.
  const inSight = isLong && !isOpen ? faults.slice(0, PHONE_KINDS - 1) : faults;
  const hasIssue = faults.some(({ condition }) => condition === 'issue');
  return (
    <div className={classes.line} data-condition={hasIssue ? 'issue' : 'caution'}>
      <ul className={classes.parts} aria-label="Needs attention">
        {inSight.map((fault) => (
          <li key={fault.words}>
            <FaultLink fault={fault} farmUID={farm._id} shown={shown}>
              <ConditionDot condition={fault.condition} label={null} size={18} />
              <span>
                <b className="num">{fault.count}</b> {fault.words}
              </span>
            </FaultLink>
          </li>
        ))}
        {isLong && (
          <li>
            <button
              type="button"
              className={classes.more}
              aria-expanded={isOpen}
              onClick={() => setIsOpen((before) => !before)}
            >
              {isOpen ? 'Show fewer' : `and ${faults.length - inSight.length} more`}
            </button>
          </li>
        )}
      </ul>
      {faults.every(isOfTanks) && devices.tanks && (
        <span className={classes.of}>of {counted(devices.tanks.length, 'tank')}</span>
      )}
    </div>
  );
}

/** What couldn't be loaded says so on its own card. What the readings point to comes after the readings themselves. */
function useDevices({ _id, tankOnly }: FarmCard): {
  devices: Devices;
  isLoading: boolean;
  isWhole: boolean;
} {
  const canSite = useCan(needs.tankSite, _id);
  const canSum = useCan(needs.tankSummary, _id);
  const tanks = useQuery({ ...tanksQuery(_id), enabled: canSum });
  const site = useQuery({ ...tankSiteQuery(_id), enabled: canSite });
  const meters = useQuery({ ...flowMetersQuery(_id), enabled: canSum && !tankOnly });
  const sites = useQuery({ ...soilSitesQuery(_id), enabled: canSum && !tankOnly });
  const isLoading = [tanks, site, meters, sites].some((query) => query.isLoading);
  const insights = useQuery({ ...insightsQuery(_id), enabled: canSum && !isLoading });
  return {
    isLoading,
    isWhole: !isLoading && !insights.isLoading,
    devices: {
      tanks: tanks.data,
      meters: meters.data,
      sites: sites.data,
      gateways: site.data?.gateways,
      insights: insights.data,
    },
  };
}

function AllWell({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p className={classes.line} data-condition="ok">
      <ConditionDot condition="ok" label={null} size={18} />
      {text}
    </p>
  );
}

interface FaultLinkProps {
  fault: Fault;
  farmUID: string;
  shown: readonly BuiltCard[];
  children: ReactNode;
}

function FaultLink({ fault: { leads }, farmUID, shown, children }: FaultLinkProps) {
  const canMap = useCan(needs.tankMap, farmUID);
  const canGateways = useCan(needs.readGateways, farmUID);
  const className = classes.part ?? '';
  if ('filter' in leads && canMap) {
    return (
      <Link to="/tanks" search={{ farm: farmUID, filter: leads.filter }} className={className}>
        {children}
      </Link>
    );
  }
  if ('list' in leads && canGateways) {
    return (
      <Link to="/gateway-devices/$id" params={{ id: farmUID }} className={className}>
        {children}
      </Link>
    );
  }
  if ('card' in leads && shown.includes(leads.card)) {
    return (
      <Link
        to="."
        hash={cardAnchor(leads.card)}
        search={((before: object) => before) as never}
        className={className}
      >
        {children}
      </Link>
    );
  }
  return <span className={className}>{children}</span>;
}
