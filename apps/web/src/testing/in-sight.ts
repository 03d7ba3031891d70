/** An IntersectionObserver to which everything is in sight. */
export class SeesAll {
  readonly #onChange: (entries: { isIntersecting: boolean; target: Element }[]) => void;

  constructor(onChange: (entries: { isIntersecting: boolean; target: Element }[]) => void) {
    this.#onChange = onChange;
  }

  observe(target: Element): void {
    queueMicrotask(() => this.#onChange([{ isIntersecting: true, target }]));
  }

  disconnect(): void {}
}

/** One to which nothing is. */
export class SeesNothing {
  observe(): void {}
  disconnect(): void {}
}
