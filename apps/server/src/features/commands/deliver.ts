import { atMost } from '../../at-most.ts';
import type { GatewayKey } from './answers.ts';
import { createGatewayTurn, type DeliverOptions } from './gateway-turn.ts';

interface Turn {
  isAgain: boolean;
  isHello: boolean;
  /** When it is over, with all that was asked for meanwhile. */
  over: Promise<void>;
}

/** Gateways that are sent to at the same time; each takes two connections to the database. */
const GATEWAYS_AT_ONCE = 4;

/**
 * Sends gateways what waits for them, by lanes and one server at a time: what stops water first, sends to many units last and
 * a window at a time, so that what comes later need not wait for all of them. Nothing is marked as sent before the broker took
 * it, so that a crash means sending again, which gateways recognise by the id.
 */
export function createDeliver(options: DeliverOptions) {
  const { send } = createGatewayTurn(options);
  /** Per gateway: the turn under way, and what is asked for next. */
  const turns = new Map<number, Turn>();
  /** Gateways that came back and could not be sent to then. */
  const owed = new Map<number, GatewayKey>();
  const inTurn = atMost(GATEWAYS_AT_ONCE);
  const running = new Set<Promise<void>>();

  /**
   * `isHello`: the gateway has just come back, so what it had not answered is sent once more. Resolves when that is sent, also
   * where a turn under way takes it over.
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
    /** When nothing is being sent any more. */
    async done(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    /** Gateways whose return could not be answered; `run` makes up for it. */
    owed: (): GatewayKey[] => [...owed.values()],
  };
}
export type Deliver = ReturnType<typeof createDeliver>;
