import type { Command, CommandStep } from '@headrace/contract/commands';
import type { CommandState } from '@headrace/contract/command-types';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { commandLabel } from './command-labels.ts';

export interface LifeStage {
  state: CommandState;
  label: string;
  /** Epoch ms; null: not yet, or nobody told when. */
  at: number | null;
  when: 'past' | 'now' | 'ahead';
}

const order = ['queued', 'sent', 'accepted', 'progress'] as const;
const passedLabels: Record<(typeof order)[number], string> = {
  queued: 'Asked for',
  sent: 'Sent to the gateway',
  accepted: 'Gateway has it',
  progress: 'Units answer one by one',
};

/** A command's life as stages: those it went through, where it is, and what comes if all goes well. */
export function lifeOf(command: Command, steps: readonly CommandStep[]): LifeStage[] {
  const { state, total } = command;
  const firstAt = (wanted: string) => {
    const step = steps.find((step) => step.state === wanted);
    return step ? Date.parse(step.at) : null;
  };
  const here = order.findIndex((stage) => stage === state);
  const isLive = isUnderWay(command);
  const stages = order.flatMap((stage, place): LifeStage[] => {
    const at = stage === 'queued' ? Date.parse(command.createdAt) : firstAt(stage);
    if (isLive && place === here) return [{ state: stage, label: commandLabel(command), at, when: 'now' }];
    // A group's units answer one by one; a single unit is done at once.
    if (stage === 'progress' && (total < 2 || !isLive)) return [];
    if (isLive && place > here)
      return [{ state: stage, label: passedLabels[stage], at: null, when: 'ahead' }];
    return at === null ? [] : [{ state: stage, label: passedLabels[stage], at, when: 'past' }];
  });
  const end: LifeStage = isLive
    ? { state: 'done', label: 'Done', at: null, when: 'ahead' }
    : { state, label: commandLabel(command), at: Date.parse(command.stateAt), when: 'now' };
  return [...stages, end];
}
