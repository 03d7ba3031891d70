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
    const known = byId.get(cmdId);
    if (known) return known;
    const fresh: Answered = { cmdId, at: clock() };
    byId.set(cmdId, fresh);
    answered.push(fresh);
    forgetOldest();
    return fresh;
  }

  /** Writes the state, then sends; when it can't be written nothing is sent, and the server asks again. */
  function say(sends: readonly Send[]): void {
    persist().then(
      () => dispatch(sends),
      () => undefined,
    );
  }

  function saySeveral(acks: readonly (AckMessage | null | undefined)[]): void {
    say(acks.flatMap((ack) => (ack ? [() => publish(ack)] : [])));
  }

  function stamped(ack: Ack): AckMessage {
    return { ...ack, at: new Date(clock()).toISOString() };
  }

  /** Sends `first`, then the answer, without remembering it: for lists and sets, which may be sent again. */
  function giveOnce(ack: Ack, first: readonly Send[] = []): void {
    const full = stamped(ack);
    say([...first, () => publish(full)]);
  }

  function give(ack: Ack, first: readonly Send[] = []): void {
    const full = stamped(ack);
    const one = entry(ack.cmdId);
    if (one.units && ack.mac !== undefined) one.units[ack.mac] = full;
    else one.whole = full;
    say([...first, () => publish(full)]);
  }

  const isGroup = (cmdId: string): boolean => byId.get(cmdId)?.units !== undefined;

  return {
    say,
    give,
    giveOnce,
    /** This command has been heard before. */
    isKnown: (cmdId: string): boolean => byId.has(cmdId),
    isGroup,
    /** About one of several units, or how far they are. What is said of a set's units is not kept. */
    isPartial: ({ cmdId, mac, state }: Ack): boolean =>
      state === 'progress' || (mac !== undefined && (isGroup(cmdId) || !byId.has(cmdId))),
    /** Says the last answer again; false when there is none, because the command is new. */
    repeat: (cmdId: string): boolean => {
      const one = byId.get(cmdId);
      if (one) saySeveral([one.whole]);
      return one !== undefined;
    },
    /**
     * Takes units of a group command in. A command may come in pieces, and again: returns those that it names for the first time; the
     * others' last answers are said again.
     */
    takeUnits: (cmdId: string, macs: readonly string[]): string[] => {
      const one = entry(cmdId);
      const units = (one.units ??= {});
      const known = macs.filter((mac) => Object.hasOwn(units, mac));
      const fresh = macs.filter((mac) => !Object.hasOwn(units, mac));
      for (const mac of fresh) units[mac] = null;
      if (known.length > 0) saySeveral([one.whole, ...known.map((mac) => units[mac])]);
      return fresh;
    },
    progressOf: (cmdId: string): { done: number; total: number } | null => {
      const units = byId.get(cmdId)?.units;
      if (!units) return null;
      const all = Object.values(units);
      return { done: all.filter((ack) => ack !== null).length, total: all.length };
    },
  };
}
export type Answers = ReturnType<typeof createAnswers>;
