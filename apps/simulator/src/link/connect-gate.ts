export type ConnectGate = {
  /** Runs `start` when there is room; it calls `leave` when it is through the transport or has given up. */
  readonly enter: (start: (leave: () => void) => void) => void;
};

/** Lets a limited number of connections be made at once: a broker that meets thousands in the same second serves none of them well. */
export function createConnectGate(limit: number): ConnectGate {
  const waiting: ((leave: () => void) => void)[] = [];
  let inside = 0;

  function next(): void {
    while (inside < limit) {
      const start = waiting.shift();
      if (!start) return;
      inside += 1;
      let isInside = true;
      start(() => {
        if (!isInside) return;
        isInside = false;
        inside -= 1;
        next();
      });
    }
  }

  return {
    enter: (start) => {
      waiting.push(start);
      next();
    },
  };
}
