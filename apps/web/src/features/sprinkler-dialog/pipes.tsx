import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { timeText } from './now-labels.ts';
import { pipeLabels } from './pipe-labels.ts';
import { pipesQuery } from './sprinkler-info.queries.ts';
import classes from './sprinkler-dialog.module.css';

/** Minutes are asked about once they are typed, ms. */
const TYPED_MS = 400;

interface PipesProps {
  deviceId: string;
  farmUID: string;
  zone: Timezone | null;
  /** For how long it is to be open. */
  minutes: number;
}

/**
 * What else runs on a sprinkler's pipes now, and is planned to begin before it is closed, before it is opened too. That it isn't known
 * keeps nobody from opening it.
 */
export function Pipes({ deviceId, farmUID, zone, minutes }: PipesProps) {
  const [typed] = useDebouncedValue(minutes, TYPED_MS);
  const now = useNow();
  const { data, isError } = useQuery(pipesQuery(deviceId, farmUID, typed));
  if (isError && !data) return <p className={classes.text}>What else runs on its line couldn't be loaded.</p>;
  if (!data) return <p className={classes.text}>Looking what else runs on its line…</p>;
  const labels = pipeLabels(data, (at) => timeText(Date.parse(at), zone, now));
  return (
    <ul className={classes.pipes} aria-label="What else runs on its line">
      {labels.map(({ text, isOver }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two pipes may have the same planned
        <li key={place}>
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
