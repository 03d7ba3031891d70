import type { SendPlan } from '@headrace/contract/commands';
import { numberText } from '../../../ui/format.ts';
import { useNow } from '../../../ui/clock.ts';
import { useChartZone } from '../../../time-range/farm-zone.ts';
import { finishText } from '../finish-labels.ts';
import classes from './many.module.css';

/** What sending would do: to how many, who is left out and why, and when it would be done. */
export function PlanView({ plan, farmUID }: { plan: SendPlan; farmUID: string }) {
  const zone = useChartZone(farmUID);
  const now = useNow();
  const finish = finishText({ finish: plan.finish, firstFinish: null }, zone, now);
  const several = plan.gateways.length > 1 ? plan.gateways : [];
  return (
    <div className={classes.plan} role="region" aria-label="What it would do">
      <p className={classes.count}>{countLabel(plan)}</p>
      <ul className={classes.findings}>
        {plan.inStep > 0 && <li>{inStepText(plan.inStep)}</li>}
        {plan.findings
          // Said at the button, which can't be pressed for it.
          .filter(({ kind }) => kind !== 'listNotLoaded')
          .map(({ kind, text, names, count }) => (
            <li key={`${kind} ${text}`}>
              {text}
              {kind !== 'gatewayAway' && <Names names={names} count={count} />}
            </li>
          ))}
        {plan.ahead.length > 0 && <li>Before it, the gateway is busy with: {plan.ahead.join('; ')}.</li>}
        {finish && <li className="num">Done {finish}.</li>}
        {several.map((gateway) => (
          <li key={gateway.name} className="num">
            {gateway.name}: {sprinklers(gateway.toDo)}
            {gateway.finish && `, ${finishText({ finish: gateway.finish, firstFinish: null }, zone, now)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

const sprinklers = (count: number) => `${numberText(count)} ${count === 1 ? 'sprinkler' : 'sprinklers'}`;

function countLabel({ toDo, total }: SendPlan): string {
  if (toDo === total) return `It goes to ${sprinklers(total)}.`;
  return `It goes to ${numberText(toDo)} of ${sprinklers(total)}.`;
}

const inStepText = (count: number) => `${sprinklers(count)} had it already when last heard.`;

function Names({ names, count }: { names: readonly string[]; count: number }) {
  if (names.length === 0) return null;
  const more = count - names.length;
  return (
    <span className={classes.names}>
      {names.join(', ')}
      {more > 0 && ` and ${numberText(more)} more`}
    </span>
  );
}
