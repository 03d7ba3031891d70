import { AttemptLimit, addressKey } from '../../mqtt/attempt-limit.ts';

const MINUTE_MS = 60_000;
/** As at the built-in broker. */
const WRONG_OF_ADDRESS = 30;
const WRONG_OF_NAME = 10;
/** Where the broker doesn't say who asks, a name's guesses come from anywhere: its owner may be among them. */
const WRONG_FROM_ANYWHERE = 60;

export interface Guess {
  username: string;
  /** The device's; null: the broker doesn't say. */
  address: string | null;
}

/** Wrong keys a minute at an outside broker that asks us, by address, and by user name at an address. */
export function createGuesses() {
  const byAddress = new AttemptLimit(WRONG_OF_ADDRESS, MINUTE_MS);
  const byName = new AttemptLimit(WRONG_OF_NAME, MINUTE_MS);
  const fromAnywhere = new AttemptLimit(WRONG_FROM_ANYWHERE, MINUTE_MS);

  const limitsOf = ({ username, address }: Guess): [AttemptLimit, string][] =>
    address === null
      ? [[fromAnywhere, username]]
      : [
          [byAddress, addressKey(address)],
          [byName, `${addressKey(address)} ${username}`],
        ];

  return {
    areTooMany: (guess: Guess, now: Date): boolean =>
      limitsOf(guess).some(([limit, key]) => limit.isBlocked(key, now)),
    wrong(guess: Guess, now: Date): void {
      for (const [limit, key] of limitsOf(guess)) limit.fail(key, now);
    },
  };
}
export type Guesses = ReturnType<typeof createGuesses>;
