import { atMost } from '../../at-most.ts';
import type { GatewayKey } from './answers.ts';
import { createGatewayTurn, type DeliverOptions } from './gateway-turn.ts';

interface Turn {
  isAgain: boolean;
  isHello: boolean;
  /** Resolves when this turn is over, and with it everything asked for meanwhile. */
  over: Promise<void>;
}

/** Gateways served at the same time; each uses two connections to the database. */
const GATEWAYS_AT_ONCE = 4;

/**
 * Sends gateways their queued commands, by lanes, one server at a time: stops first, sends to many units last and one window at a time, so
 * that later commands need not wait for all of them. A command is marked as sent only after the broker has taken it. After a crash it
 * is sent again, and the gateway recognises it by its id.
 */
export function createDeliver(options: DeliverOptions) {
  const { send } = createGatewayTurn(options);
  /** By gateway: the turn under way, and what was asked for after it. */
  const turns = new Map<number, Turn>();
  /** Gateways that connected again while nothing could be sent to them. */
  const owed = new Map<number, GatewayKey>();
  const inTurn = atMost(GATEWAYS_AT_ONCE);
  const running = new Set<Promise<void>>();

  /**
   * `isHello`: the gateway has just connected, so what it has not answered is sent once more. Resolves when that is sent, even if a turn
   * under way does it.
   */
  function run(key: GatewayKey, isHello = false): Promise<void> {
    const underWay = turns.get(key.gatewayId);
    if (underWay) {
      underWay.isAgain = true;
      underWay.isHello ||= isHello;
      return underWay.over;
    }
    const turn: Turn = { isAgain: true, isHello, over: Promise.resolve() };
    turns.set(key.gatewayId, turn);
    turn.over = takeTurn(key, turn).finally(() => running.delete(turn.over));
    running.add(turn.over);
    return turn.over;
  }

  async function takeTurn(key: GatewayKey, turn: Turn): Promise<void> {
    let isUnanswered = false;
    try {
      while (turn.isAgain) {
        const isBack = turn.isHello;
        isUnanswered = owed.delete(key.gatewayId) || isBack;
        turn.isAgain = false;
        turn.isHello = false;
        await inTurn(() => send(key, isBack, isUnanswered));
      }
    } catch (error) {
      if (isUnanswered || turn.isHello) owed.set(key.gatewayId, key);
      options.log.warn({ err: error, ...key }, 'commands not sent yet');
    } finally {
      turns.delete(key.gatewayId);
    }
  }

  return {
    run,
    /** Resolves when nothing is being sent any more. */
    async done(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    /** Gateways that got nothing when they connected; `run` makes up for it. */
    owed: (): GatewayKey[] => [...owed.values()],
  };
}
export type Deliver = ReturnType<typeof createDeliver>;
