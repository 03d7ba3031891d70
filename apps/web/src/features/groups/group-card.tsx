import { Link } from '@tanstack/react-router';
import type { Group } from '@headrace/contract/groups';
import { wholeText } from '@headrace/contract/rules/number-text';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { deviceCount, deviceKinds } from '../../device-records/device-kinds.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { UnderWay } from '../commands/under-way.tsx';
import { holdsOf, holdText } from '../holds/hold-labels.ts';
import { useHolds } from '../holds/holds.queries.ts';
import { useGroupLinks } from './group-links.ts';
import { GroupMenu } from './group-menu.tsx';
import { cardName } from './group-name.ts';
import card from '../../ui/card.module.css';
import classes from './groups.module.css';

/** One group: its sprinklers, and the ways in. */
export function GroupCard({ group }: { group: Group }) {
  const { data = [] } = useHolds(group.farmUID);
  const holds = holdsOf(data, group._id);
  const zone = useChartZone(group.farmUID);
  const links = useGroupLinks(group);
  const { name, description, isLateral, amountOfIpc, amountOfIpcInhibited } = group;
  const short = cardName(name);
  return (
    <article className={card.card} aria-label={name}>
      <div className={card.head}>
        <div className={card.names}>
          <h2 className={`${card.name} ${classes.whole}`} title={name}>
            {links.map ? (
              <Link {...links.map} {...(short !== name && { 'aria-label': name })}>
                {short}
              </Link>
            ) : (
              short
            )}
          </h2>
          {description && <p className={card.description}>{description}</p>}
        </div>
        <GroupMenu group={group} links={links} />
      </div>
      <ul className={classes.facts}>
        <li className="num">
          {amountOfIpc === 0 ? 'No sprinklers' : deviceCount(amountOfIpc, deviceKinds.sprinkler)}
        </li>
        {amountOfIpcInhibited > 0 && (
          <li>
            <ConditionDot condition="inhibited" label={null} />
            <span className="num">{wholeText(amountOfIpcInhibited)} inhibited</span>
          </li>
        )}
        {holds.map((hold) => (
          <li key={hold.uid}>
            <ConditionDot condition="inhibited" label={null} />
            <span className="num">{holdText(hold, zone)}</span>
          </li>
        ))}
        {isLateral && <li className={classes.badge}>Lateral</li>}
      </ul>
      <UnderWay farmUID={group.farmUID} groupUID={group._id} />
    </article>
  );
}
