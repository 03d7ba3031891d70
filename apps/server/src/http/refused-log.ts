/** Where people, the operator and devices sign in. */
export type SignInWay = 'web' | 'operator' | 'mqtt';

/**
 * One line for each refused sign-in, by which programs such as fail2ban shut out who goes on guessing: the network address and
 * the door. Nothing else: not who was meant, and nothing that was typed.
 */
export function logRefused(
  log: { info(details: object, message: string): void },
  way: SignInWay,
  from: string,
): void {
  log.info({ from, door: way }, 'sign-in refused');
}

/** One line for each time that somebody with the operator's token looked at what opens accounts. */
export function logOpened(
  log: { info(details: object, message: string): void },
  what: 'outbox',
  from: string,
): void {
  log.info({ from, what }, 'opened by the operator');
}

/** A page asks for what was taken away again and again: of one account and call one line in so long, ms. */
const CALL_REFUSED_EACH_MS = 3_600_000;
/** Accounts and calls remembered; more are forgotten together. */
const REMEMBERED = 5000;

/** Lines for calls that somebody who is signed in may not make, or about what is not theirs: which account and call, not what was asked for. */
export function createRefusedCalls() {
  const told = new Map<string, number>();
  return (
    log: { info(details: object, message: string): void },
    refused: { account: number; call: string; from: string },
    now: Date,
  ): void => {
    const key = `${refused.account} ${refused.call}`;
    const last = told.get(key);
    if (last !== undefined && now.getTime() - last < CALL_REFUSED_EACH_MS) return;
    if (told.size >= REMEMBERED) told.clear();
    told.set(key, now.getTime());
    log.info(refused, 'call refused');
  };
}
