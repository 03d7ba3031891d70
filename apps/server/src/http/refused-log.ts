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
