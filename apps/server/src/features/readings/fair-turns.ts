/** A farm with work, and the account that owns it. */
export interface Worker {
  readonly farmId: number;
  readonly accountId: number;
}

export interface TurnOptions {
  /** What farms and accounts may use of each minute, ms of a thread. */
  readonly msPerMinute: { readonly farm: number; readonly account: number };
  /** A clock that can't be set, ms. */
  readonly now?: () => number;
}

export interface FairTurns {
  /** Those that have something left of their minute, in the order of their turns. */
  ranked<W extends Worker>(workers: Iterable<W>): W[];
  /** Of these those that may work now: an account works at one thing at a time, for whichever farm. */
  inTurn<W extends Worker>(workers: Iterable<W>): W[];
  begin(worker: Worker): void;
  end(worker: Worker, usedMs: number): void;
  /** How long until the first of these may work again, ms; 0 where one may, or waits for its own work alone. */
  restMs(workers: Iterable<Worker>): number;
}

/** `used` only orders: it is no less than that of whoever worked last, so that nobody saves up turns by being idle. */
interface Share {
  used: number;
  left: number;
  leftAt: number;
  isWorking: boolean;
  /** `used` of the farm of this account that worked last. */
  floor: number;
}

const MINUTE = 60_000;
const SHARES = 2000;

/**
 * Who works next where strangers share a thread: the account that has used least, and of its farms the one that has used least. So
 * many farms of one account are one, and what is slow waits for itself. Besides, each has so much of every minute and no more.
 */
export function createFairTurns({ msPerMinute, now = () => performance.now() }: TurnOptions): FairTurns {
  const farms = new Map<number, Share>();
  const accounts = new Map<number, Share>();
  let floor = 0;

  function shareOf(shares: Map<number, Share>, id: number, most: number): Share {
    let share = shares.get(id);
    if (!share) shares.set(id, (share = { used: 0, left: most, leftAt: now(), isWorking: false, floor: 0 }));
    const time = now();
    share.left = Math.min(most, share.left + ((time - share.leftAt) * most) / MINUTE);
    share.leftAt = time;
    return share;
  }

  const farmOf = ({ farmId }: Worker) => shareOf(farms, farmId, msPerMinute.farm);
  const accountOf = ({ accountId }: Worker) => shareOf(accounts, accountId, msPerMinute.account);

  function tidy(shares: Map<number, Share>, most: number): void {
    if (shares.size < SHARES) return;
    for (const [id, share] of shares) if (!share.isWorking && share.left >= most) shares.delete(id);
  }

  const restOf = (share: Share, most: number) => (share.left > 0 ? 0 : ((1 - share.left) * MINUTE) / most);

  function ranked<W extends Worker>(workers: Iterable<W>): W[] {
    const ready = [...workers].flatMap((worker) => {
      const [farm, account] = [farmOf(worker), accountOf(worker)];
      if (farm.left <= 0 || account.left <= 0) return [];
      return [{ worker, account: Math.max(account.used, floor), farm: Math.max(farm.used, account.floor) }];
    });
    return ready.toSorted((a, b) => a.account - b.account || a.farm - b.farm).map(({ worker }) => worker);
  }

  return {
    ranked,
    inTurn: (workers) => ranked(workers).filter((worker) => !accountOf(worker).isWorking),
    begin(worker) {
      const [farm, account] = [farmOf(worker), accountOf(worker)];
      account.used = Math.max(account.used, floor);
      farm.used = Math.max(farm.used, account.floor);
      floor = account.used;
      account.floor = farm.used;
      account.isWorking = true;
    },
    end(worker, usedMs) {
      const [farm, account] = [farmOf(worker), accountOf(worker)];
      for (const share of [farm, account]) {
        share.used += usedMs;
        share.left -= usedMs;
      }
      account.isWorking = false;
      tidy(farms, msPerMinute.farm);
      tidy(accounts, msPerMinute.account);
    },
    restMs(workers) {
      const rests = [...workers].map((worker) =>
        Math.max(restOf(farmOf(worker), msPerMinute.farm), restOf(accountOf(worker), msPerMinute.account)),
      );
      return rests.length === 0 ? 0 : Math.min(...rests);
    },
  };
}
