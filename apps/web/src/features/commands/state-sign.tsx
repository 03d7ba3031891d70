import {
  IconAlertOctagon,
  IconAntenna,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconHourglassOff,
  IconProgress,
  IconSend,
} from '@tabler/icons-react';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import { tones } from './command-labels.ts';
import classes from './commands.module.css';

const icons = {
  queued: IconClock,
  sent: IconSend,
  accepted: IconAntenna,
  progress: IconProgress,
  done: IconCircleCheck,
  skipped: IconCircleCheck,
  failed: IconAlertOctagon,
  expired: IconHourglassOff,
  cancelled: IconBan,
} as const satisfies Record<CommandState | UnitState, unknown>;

/** A state by shape and colour. The word stands beside it. */
export function StateSign({ state, size = 20 }: { state: CommandState | UnitState; size?: number }) {
  const Icon = icons[state];
  return (
    <Icon size={size} stroke={1.9} aria-hidden="true" className={classes.sign} data-tone={tones[state]} />
  );
}
