import type { Command, CommandStep } from '@headrace/contract/commands';
import type { CommandState } from '@headrace/contract/command-types';
import { commandWord, isUnderWay } from './command-words.ts';

export interface LifeStage {
  state: CommandState;
  words: string;
  /** Epoch ms; null: not yet, or nobody told when. */
  at: number | null;
  when: 'past' | 'now' | 'ahead';
}

const order = ['queued', 'sent', 'accepted', 'progress'] as const;
const passedWords: Record<(typeof order)[number], string> = {
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
    if (isLive && place === here) return [{ state: stage, words: commandWord(command), at, when: 'now' }];
    // A group's units answer one by one; a single unit is done at once.
    if (stage === 'progress' && (total < 2 || !isLive)) return [];
    if (isLive && place > here) return [{ state: stage, words: passedWords[stage], at: null, when: 'ahead' }];
    return at === null ? [] : [{ state: stage, words: passedWords[stage], at, when: 'past' }];
  });
  const end: LifeStage = isLive
    ? { state: 'done', words: 'Done', at: null, when: 'ahead' }
    : { state, words: commandWord(command), at: Date.parse(command.stateAt), when: 'now' };
  return [...stages, end];
}
