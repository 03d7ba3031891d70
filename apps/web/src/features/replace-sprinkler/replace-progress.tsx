import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Failed } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { Ways } from '../../forms/dialog.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { outcomeText } from '../commands/command-outcome.tsx';
import { commandQuery, useLiveCommands } from '../commands/commands.queries.ts';
import { replaceOutcome, type ReplacedPlace } from './replace-labels.ts';
import classes from './replace.module.css';

interface ReplaceProgressProps {
  farmUID: string;
  place: ReplacedPlace;
  newSerial: string;
  /** Its schedule goes to it by itself. */
  withSchedule: boolean;
  commandId: string;
  onAgain: () => void;
  onClose: () => void;
}

/** What becomes of a Replace, in its place, to its end. */
export function ReplaceProgress(props: ReplaceProgressProps) {
  const { farmUID, onClose } = props;
  const canRead = useCan(needs.readCommands, farmUID);
  if (canRead) return <Followed {...props} />;
  return (
    <>
      <div className={classes.outcome} role="status">
        <ConditionDot condition="watering" label={null} size={22} />
        <div>
          <p className={classes.title}>Command successfully sent!</p>
          <p>How it ends comes as a message.</p>
        </div>
      </div>
      <Ways>
        <Button onClick={onClose}>Close</Button>
      </Ways>
    </>
  );
}

function Followed(props: ReplaceProgressProps) {
  const { farmUID, place, newSerial, withSchedule, commandId, onAgain, onClose } = props;
  useLiveCommands(farmUID);
  const zone = useChartZone(farmUID);
  const { data, error, isError, isFetching, refetch } = useQuery(commandQuery(farmUID, commandId));
  if (!data && isError)
    return (
      <Failed
        text="How the command stands couldn't be loaded"
        error={error}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  const outcome = data ? replaceOutcome(data.command, place, { newSerial, withSchedule }) : null;
  return (
    <>
      <div className={classes.outcome} role="status">
        <ConditionDot condition={outcome?.condition ?? 'watering'} label={null} size={22} />
        <div>
          <p className={classes.title}>{outcome?.title ?? 'Processing your command...'}</p>
          {outcome && <p>{outcome.text}</p>}
          {data && outcome?.isFailed === null && <p className="num">{outcomeText(data, zone)}</p>}
        </div>
      </div>
      <Ways>
        {outcome?.isFailed && (
          <Button variant="default" onClick={onAgain}>
            Try again
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Ways>
    </>
  );
}
