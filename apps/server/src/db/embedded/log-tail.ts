/** Keeps the last lines that a process wrote, whole lines only, for the error that may follow. */
export class LogTail {
  readonly #lines: string[] = [];
  #rest = '';

  constructor(
    private readonly onLine: (line: string) => void = () => {},
    private readonly keep = 40,
  ) {}

  push(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#add(line);
  }

  /** The kept lines and the unfinished last one. */
  text(): string {
    return [...this.#lines, this.#rest].filter((line) => line !== '').join('\n');
  }

  #add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > this.keep) this.#lines.shift();
    this.onLine(line);
  }
}
