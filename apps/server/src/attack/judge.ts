/** What came back. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Of a 429: seconds until it may be asked again; null: it wasn't said. */
  readonly retryAfterS?: number | null;
}

/** Longer than any call may take, ms. */
export const SLOW_MS = 5000;

/** What only we should see: stacks, paths of our files, SQL and the words of PostgreSQL. */
const INSIDE =
  /\bat [\w.<>]+ \(|node_modules|\.(ts|js):\d+:\d+|syntax error at|violates \w+ constraint|invalid input syntax|\bpg_|ECONNREFUSED/;

/** What is wrong with an answer to a hostile call, in words; none: nothing. */
export function faultsOf(
  { status, body, ms }: Answer,
  secrets: readonly string[] = [],
  slowMs = SLOW_MS,
): string[] {
  return [
    ...(status >= 500 ? [`answered ${status}`] : []),
    ...(ms > slowMs ? [`took ${Math.round(ms)} ms`] : []),
    ...(status >= 400 && INSIDE.test(body) ? ['tells of the inside'] : []),
    ...secrets.filter((secret) => body.includes(secret)).map((secret) => `tells ${secret}`),
  ];
}
