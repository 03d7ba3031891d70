import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { useCan } from '../access/permissions.ts';
import { countTanks } from '../tanks/tank-facts.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import type { MapFilter } from '../tanks/map-filter.ts';
import classes from './dashboard.module.css';

const tanks = (count: number) => `${count} tank${count === 1 ? '' : 's'}`;

/** Is anything wrong? One line, the worst first; each part leads to the tanks it counts. */
export function AttentionLine({ farmUID }: { farmUID: string }) {
  const { data, isError } = useQuery(tanksQuery(farmUID));
  const canMap = useCan(needs.tankMap, farmUID);
  const now = useNow();
  if (!data) return isError ? null : <div className={classes.lineSpace} aria-hidden="true" />;
  if (data.length === 0) return null;
  const { total, out, lowBattery, lowLevel, invalid, leaking } = countTanks(data, now);
  const parts: { count: number; words: string; condition: Condition; filter?: MapFilter }[] = [
    { count: out, words: 'out of contact', condition: 'issue', filter: 'OutOfContact' },
    { count: leaking, words: leaking === 1 ? 'possible leak' : 'possible leaks', condition: 'issue' },
    { count: lowLevel, words: 'low level', condition: 'caution', filter: 'LowVolume' },
    { count: invalid, words: 'invalid value', condition: 'caution' },
    { count: lowBattery, words: 'low battery', condition: 'caution', filter: 'LowBattery' },
  ];
  const wrong = parts.filter(({ count }) => count > 0);
  if (wrong.length === 0) {
    return (
      <p className={classes.line} data-condition="ok">
        <ConditionDot condition="ok" label={null} size={18} />
        {total === 1 ? 'The tank is' : `All ${tanks(total)} are`} in contact, with water and battery.
      </p>
    );
  }
  return (
    <div className={classes.line} data-condition={out + leaking > 0 ? 'issue' : 'caution'}>
      <ul className={classes.parts} aria-label="Needs attention">
        {wrong.map(({ count, words, condition, filter }) => {
          const content = (
            <>
              <ConditionDot condition={condition} label={null} size={18} />
              <span>
                <b className="num">{count}</b> {words}
              </span>
            </>
          );
          return (
            <li key={words}>
              {canMap && filter ? (
                <Link to="/tanks" search={{ farm: farmUID, filter }} className={classes.part}>
                  {content}
                </Link>
              ) : (
                <span className={classes.part}>{content}</span>
              )}
            </li>
          );
        })}
      </ul>
      <span className={classes.of}>of {tanks(total)}</span>
    </div>
  );
}
