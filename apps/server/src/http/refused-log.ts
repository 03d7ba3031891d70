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
