import { type Finish, latestFinish } from '@headrace/contract/rules/radio-pace';

/** When a command will be done, by the id of each gateway that it goes through. Times in epoch ms. */
export type FinishByGateway = Readonly<Record<string, Finish>>;

/** As the API tells it. */
export type FinishTimes =
  | { readonly expected: string; readonly low: string; readonly high: string }
  | { readonly atMost: string };

const iso = (ms: number) => new Date(ms).toISOString();

/** When the last gateway will be done; null: nothing is known of any. */
export function finishTimes(byGateway: FinishByGateway | null): FinishTimes | null {
  const finish = latestFinish(Object.values(byGateway ?? {}));
  if (!finish) return null;
  if ('atMost' in finish) return { atMost: iso(finish.atMost) };
  return { expected: iso(finish.expected), low: iso(finish.low), high: iso(finish.high) };
}
