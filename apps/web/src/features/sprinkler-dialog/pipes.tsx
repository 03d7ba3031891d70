import { useQuery } from '@tanstack/react-query';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { pipeLabels } from './pipe-labels.ts';
import { pipesQuery } from './sprinkler-info.queries.ts';
import classes from './sprinkler-dialog.module.css';

/** What else runs on a sprinkler's pipes now, before it is opened too. That it isn't known keeps nobody from opening it. */
export function Pipes({ deviceId, farmUID }: { deviceId: string; farmUID: string }) {
  const { data, isError } = useQuery(pipesQuery(deviceId, farmUID));
  if (isError && !data) return <p className={classes.text}>What else runs on its line couldn't be loaded.</p>;
  if (!data) return <p className={classes.text}>Looking what else runs on its line…</p>;
  return (
    <ul className={classes.pipes} aria-label="What else runs on its line">
      {pipeLabels(data.pipes, data.lps).map(({ text, isOver }) => (
        <li key={text}>
          {isOver && (
            <>
              <ConditionDot condition="caution" label="Caution" size={15} />{' '}
            </>
          )}
          {text}
        </li>
      ))}
    </ul>
  );
}
