import type { SetSummary } from '@headrace/contract/schedule-sets';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM } from '../commands/many/many-orders.ts';
import { CloneSet } from './clone-set.tsx';
import { ComputeAnew } from './compute-anew.tsx';
import { DeleteSet } from './delete-set.tsx';
import type { SetAct } from './set-menu.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const OperatingTime = lazyDialog(() => import('./operating-time.tsx').then((m) => m.default));

interface Props {
  act: Exclude<SetAct, 'export'>;
  set: SetSummary;
  farmUID: string;
  /** One thing leads to another: what was computed is sent. */
  onNext: (act: Props['act'], set: SetSummary) => void;
  onClose: () => void;
}

const pollScope = (count: number) =>
  count === 1 ? '1 sprinkler that has not confirmed' : `${count} sprinklers that have not confirmed`;

/** What was asked for of a set. */
export function SetDialog({ act, set, farmUID, onNext, onClose }: Props) {
  switch (act) {
    case 'send':
      return (
        <ManyDialogHost
          command="SendScheduleSet"
          scope={{ farmUID, groupUID: FARM, name: 'the whole farm' }}
          title={`Send ${set.name}`}
          initial={{ setUID: set._id }}
          onClose={onClose}
        />
      );
    case 'poll':
      return (
        <ManyDialogHost
          command="PollGroup"
          scope={{
            farmUID,
            groupUID: FARM,
            name: pollScope(set.standing?.toPoll.length ?? 0),
            uids: set.standing?.toPoll ?? [],
          }}
          onClose={onClose}
        />
      );
    case 'compute':
      return (
        <ComputeAnew
          set={set}
          farmUID={farmUID}
          onComputed={(next) => onNext('send', next)}
          onClose={onClose}
        />
      );
    case 'clone':
      return <CloneSet set={set} farmUID={farmUID} onClose={onClose} />;
    case 'operating':
      return <OperatingTime set={set} farmUID={farmUID} onClose={onClose} />;
    case 'delete':
      return <DeleteSet set={set} farmUID={farmUID} onClose={onClose} />;
    default:
      return act satisfies never;
  }
}
