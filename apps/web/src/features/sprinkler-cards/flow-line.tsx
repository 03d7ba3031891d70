import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FlowCheckReply } from '@headrace/contract/flow';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { flowCheckText } from './flow-labels.ts';
import classes from './sprinkler-cards.module.css';

/** A meter's word is asked for again every two minutes. */
const EVERY_MS = 120_000;

const flowCheckQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['flow-check', farmUID],
    queryFn: async ({ signal }) => (await call('GET /flow/check', { query: { farmUID }, signal })).check,
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
  });

/** Whether the meter shows what open sprinklers give; nothing where that isn't known. */
export function FlowLine({ farmUID }: { farmUID: string }) {
  const { data: check } = useQuery(flowCheckQuery(farmUID));
  if (!check || (check.state === 'agrees' && check.openLps === 0)) return null;
  return (
    <>
      <p className={classes.watering}>
        <ConditionDot condition={check.state === 'agrees' ? 'ok' : 'caution'} label={null} />
        <span>
          {flowCheckText(check)} <Age at={Date.parse(check.at)} />
        </span>
      </p>
      {check.suspects.length > 0 && <Suspects farmUID={farmUID} suspects={check.suspects} />}
    </>
  );
}

interface SuspectsProps {
  farmUID: string;
  suspects: FlowCheckReply['suspects'];
}

function Suspects({ farmUID, suspects }: SuspectsProps) {
  const canMap = useCan(needs.groupMap, farmUID);
  return (
    <details className={classes.silent}>
      <summary>
        Look first at <b>{suspects[0]?.name}</b>
        {suspects.length > 1 && <span>and {suspects.length - 1} more whose valves moved last</span>}
      </summary>
      <ul className={classes.rows} aria-label="Valves that may be open">
        {suspects.map(({ unitUID, name, movedAt, isSaidClosed }) => (
          <li key={unitUID}>
            {canMap ? (
              <Link
                to="/group-status/$name"
                params={{ name: 'FARM' }}
                search={{ farm: farmUID, ipc: unitUID }}
                className={classes.unit}
              >
                {name}
              </Link>
            ) : (
              name
            )}
            <span>
              {isSaidClosed ? 'said closed' : 'not known to have closed'}; moved{' '}
              <Age at={Date.parse(movedAt)} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
