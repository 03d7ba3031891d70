import type { AckMessage } from '@headrace/device/messages';
import type { Send } from '../farm-links.ts';
import type { Answered } from './gateway-state.ts';

const keptCommands = 2000;
const keptMs = 48 * 3_600_000;
/** A gateway's memory ends somewhere, whatever its commands' age. */
const mostCommands = 20_000;

export type AnswerOptions = {
  readonly answered: Answered[];
  /** The gateway's clock, epoch ms. */
  readonly clock: () => number;
  readonly persist: () => Promise<void>;
  readonly dispatch: (sends: readonly Send[]) => void;
  readonly publish: (ack: AckMessage) => Promise<void>;
};

type Ack = Omit<AckMessage, 'at'>;

/** Says `up/ack` and remembers it: nothing is said before the state file holds it, and what it is about. */
export function createAnswers({ answered, clock, persist, dispatch, publish }: AnswerOptions) {
  const byId = new Map(answered.map((one) => [one.cmdId, one]));

  function forgetOldest(): void {
    while (answered.length > keptCommands) {
      const oldest = answered[0];
      if (!oldest || (answered.length <= mostCommands && oldest.at > clock() - keptMs)) return;
      answered.shift();
      byId.delete(oldest.cmdId);
    }
  }

  function entry(cmdId: string): Answered {
    let one = byId.get(cmdId);
    if (!one) {
      one = { cmdId, at: clock() };
      byId.set(cmdId, one);
      answered.push(one);
      forgetOldest();
    }
    return one;
  }

  /** Writes the state, then sends; a state that can't be written is told in the log, and nothing is sent. */
  function say(sends: readonly Send[]): void {
    persist().then(
      () => dispatch(sends),
      () => undefined,
    );
  }

  /** Sends `first`, then the answer. */
  function give(ack: Ack, first: readonly Send[] = []): void {
    const full: AckMessage = { ...ack, at: new Date(clock()).toISOString() };
    const one = entry(ack.cmdId);
    if (ack.mac === undefined || one.total === undefined) one.whole = full;
    else (one.units ??= {})[ack.mac] = full;
    say([...first, () => publish(full)]);
  }

  return {
    say,
    give,
    /** The same without remembering it: for lists and sets, which may be sent again. */
    giveOnce: (ack: Ack, first: readonly Send[] = []): void => {
      const full: AckMessage = { ...ack, at: new Date(clock()).toISOString() };
      say([...first, () => publish(full)]);
    },
    /** Begins a command for several units: `accepted` now, then an answer of each. */
    beginGroup: (cmdId: string, total: number): void => {
      entry(cmdId).total = total;
      give({ cmdId, state: 'accepted' });
    },
    progressOf: (cmdId: string): { done: number; total: number } | null => {
      const one = byId.get(cmdId);
      return one?.total === undefined
        ? null
        : { done: Object.keys(one.units ?? {}).length, total: one.total };
    },
    /** True when this command has been heard before: then its last answers are said again. */
    repeat: (cmdId: string): boolean => {
      const one = byId.get(cmdId);
      if (!one) return false;
      say([one.whole ?? [], ...Object.values(one.units ?? {})].flat().map((ack) => () => publish(ack)));
      return true;
    },
  };
}
export type Answers = ReturnType<typeof createAnswers>;
