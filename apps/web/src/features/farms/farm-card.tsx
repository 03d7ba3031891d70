import { lazy, Suspense, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { FarmCard as Farm, FarmSummary } from '@headrace/contract/farms';
import { can, needs } from '@headrace/contract/permissions';
import { cardMapsOf } from '@headrace/contract/rules/settings-farms';
import { useCan } from '../access/permissions.ts';
import { isSubscriptionExpired } from '../accounts/subscription.ts';
import { useSession } from '../accounts/use-session.ts';
import { useSettings } from '../settings/settings.queries.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { CardMapsProps } from './card-maps.tsx';
import { useFarmZone, useSelectFarm } from './current-farm.ts';
import { farmFacts, unitsText } from './farm-facts.ts';
import { FarmSign } from './farm-sign.tsx';
import classes from './home.module.css';

const CardMaps = lazy(() => import('./card-maps.tsx').then((m) => ({ default: m.CardMaps })));
const FarmMenu = lazy(() => import('./farm-menu.tsx').then((m) => ({ default: m.FarmMenu })));

export type SummaryState = { summary: FarmSummary } | 'loading' | 'unknown';

/** One farm: what needs a person there, when it was last heard of, and the ways in. */
export function FarmCard({ farm, state }: { farm: Farm; state: SummaryState }) {
  const links = useFarmLinks(farm._id);
  const wanted = cardMapsOf(useSettings(), farm._id);
  const sprinklers = wanted.sprinklers && !farm.tankOnly ? links.sprinklers : null;
  const tanks = wanted.tanks ? links.tanks : null;
  return (
    <article className={classes.card} aria-label={farm.name}>
      <div className={classes.head}>
        <FarmSign icon={farm.icon} />
        <div className={classes.names}>
          <h2 className={classes.name}>
            {links.dashboard ? <Link {...links.dashboard}>{farm.name}</Link> : farm.name}
          </h2>
          {farm.description && <p className={classes.description}>{farm.description}</p>}
        </div>
        <Suspense fallback={<span className={classes.menu} />}>
          <FarmMenu farm={farm} links={links} />
        </Suspense>
      </div>
      <SuspendedBadge validUntil={farm.subscriptionValidUntil} />
      <Facts state={state} tanks={links.tanks} />
      <Maps farm={farm} state={state} sprinklers={sprinklers} tanks={tanks} />
      <Foot farm={farm} state={state} />
      {(tanks || links.dashboard || sprinklers) && (
        <div className={classes.ways}>
          {sprinklers && (
            <Link {...sprinklers} className={classes.way}>
              Sprinklers
            </Link>
          )}
          {tanks && (
            <Link {...tanks} className={classes.way}>
              Tanks
            </Link>
          )}
          {links.dashboard && (
            <Link {...links.dashboard} className={classes.way} data-main>
              Dashboard
            </Link>
          )}
        </div>
      )}
    </article>
  );
}

/** The ways into a farm that this person has. The address names the farm, so a link can be sent or opened in a tab. */
export function useFarmLinks(farmUID: string) {
  const select = useSelectFarm();
  const search = { farm: farmUID };
  const onClick = () => select(farmUID);
  const canDashboard = useCan(needs.dashboard, farmUID);
  const canCommands = useCan(needs.readCommands, farmUID);
  const canEdit = useCan({ anyOf: [can('farms', 'Edit')] }, farmUID);
  const canMaps = useCan(needs.tankMap, farmUID);
  return {
    edit: canEdit ? { to: '/farm/$id' as const, params: { id: farmUID } } : null,
    dashboard: canDashboard ? { to: '/dashboard' as const, search, onClick } : null,
    sprinklers: canMaps
      ? { to: '/group-status/$name' as const, params: { name: 'FARM' }, search, onClick }
      : null,
    tanks: canMaps ? { to: '/tanks' as const, search, onClick } : null,
    commands: canCommands ? { to: '/commands/$farmUID' as const, params: { farmUID }, onClick } : null,
  };
}
export type FarmLinks = ReturnType<typeof useFarmLinks>;

/** The small maps of what the farm has. Their place is kept meanwhile. */
function Maps({ farm, state, sprinklers, tanks }: CardMapsProps & { state: SummaryState }) {
  const has = (kind: 'sprinklers' | 'tanks') =>
    typeof state === 'string' ? state === 'loading' : state.summary[kind] > 0;
  const shown = { sprinklers: has('sprinklers') ? sprinklers : null, tanks: has('tanks') ? tanks : null };
  if (!shown.sprinklers && !shown.tanks) return null;
  const place = <div className={classes.maps} />;
  if (state === 'loading') return place;
  return (
    <Suspense fallback={place}>
      <CardMaps farm={farm} {...shown} />
    </Suspense>
  );
}

function Facts({ state, tanks }: { state: SummaryState; tanks: FarmLinks['tanks'] }) {
  if (state === 'loading') {
    return (
      <div className={classes.facts} aria-busy="true">
        <div className={classes.line} style={{ width: '62%' }} />
        <div className={classes.line} style={{ width: '40%' }} />
      </div>
    );
  }
  if (state === 'unknown') return <p className={classes.facts}>Its state isn't known.</p>;
  return (
    <ul className={classes.facts}>
      {farmFacts(state.summary).map(({ condition, text, filter }) => (
        <li key={text} className={classes.fact}>
          <ConditionDot condition={condition} size={17} label={null} />
          {filter && tanks ? (
            <Link {...tanks} search={{ ...tanks.search, filter }}>
              {text}
            </Link>
          ) : (
            <span>{text}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Foot({ farm, state }: { farm: Farm; state: SummaryState }) {
  const [isAsked, setIsAsked] = useState(false);
  const zone = useFarmZone(farm._id, isAsked);
  if (typeof state === 'string') return <div className={classes.foot} />;
  const { lastContact } = state.summary;
  return (
    <div className={classes.foot}>
      <span className="num">{unitsText(state.summary)}</span>
      <Age
        at={lastContact}
        zone={zone}
        staleAfter={TANK_OUT_OF_CONTACT_MS}
        never="No contact yet"
        onAsked={() => setIsAsked(true)}
      >
        {lastContact !== null && 'Last contact'}
      </Age>
    </div>
  );
}

/** Delegates see when the farm's owner has stopped paying. */
function SuspendedBadge({ validUntil }: { validUntil: string }) {
  const { type } = useSession();
  const now = useNow();
  if (type !== 'AGENT' || !isSubscriptionExpired(validUntil, now)) return null;
  return (
    <p className={classes.suspended}>
      <ConditionDot condition="issue" label={null} /> Account Suspended
    </p>
  );
}
