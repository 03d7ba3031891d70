import { setImmediate } from 'node:timers/promises';
import { makeFarmProfile } from '@headrace/demo/make-farm';
import type { FarmProfile } from '@headrace/demo/profile';
import type { IpcItem } from '@headrace/device/messages';
import type { GatewayDownKind } from '@headrace/device/topics';
import { createFarmModel } from '@headrace/simulator/farm-model';
import { createLiveFarm } from '@headrace/simulator/live-farm';
import { isOpen } from '@headrace/simulator/models/sprinkler';
import type { Scheduler } from '@headrace/simulator/scheduler';
import { emptyLive } from '@headrace/simulator/state';
import type { CommandsKit } from '../features/commands/testing/commands-kit.ts';
import type { FarmDriver } from '../features/commands/testing/farm-driver.ts';
import { timeFor } from '../features/device-connections/send-time.ts';
import { toZone } from '../features/farm-clock/farm-zone.ts';

const MINUTE = 60_000;
/** Of what a gateway says, how much the server takes at once, ms. */
const AT_ONCE = 6 * 60 * MINUTE;

/** A minute of a valve, at its middle, epoch ms. */
type OnMinute = (at: number, openUnits: ReadonlySet<string>) => void;

interface SimulatedFarmOptions {
  /** Whether a sprinkler's next report comes through. */
  readonly isHeard: (item: IpcItem) => boolean;
  readonly onMinute: OnMinute;
}

/**
 * The simulator's devices in the places of a driver's gateway and sprinklers, on a clock that only `run` moves. What they say goes to
 * ingest, what the server says to them: no broker is between.
 */
export function simulateFarm(kit: CommandsKit, driver: FarmDriver, options: SimulatedFarmOptions) {
  let now = kit.clock.now.getTime();
  const due = createVirtualScheduler();
  const profile = profileOf(driver);
  const macs = profile.sprinklers.map(({ mac }) => mac);
  const gatewayMac = driver.gateway.mac ?? '';
  let said: { kind: string; body: object; at: number }[] = [];
  const publish = (kind: string, body: object) => {
    const heard = kind === 'ipc' ? heardOf(body as { items: IpcItem[] }, options.isHeard) : body;
    if (heard) said.push({ kind, body: heard, at: now });
    return Promise.resolve();
  };
  const live = createLiveFarm({
    farm: createFarmModel(profile, 1),
    links: {
      gateways: new Map([
        [
          gatewayMac,
          {
            isReady: () => true,
            publish,
            restart: () => {},
            setDown: () => {},
            stop: () => Promise.resolve(),
          },
        ],
      ]),
      networkServer: null,
    },
    state: emptyLive(),
    scheduler: due,
    speed: 1,
    now: () => now,
    radio: { ackDelayMs: 1000, unitDelayMs: 2000, radioLoss: 0 },
    persist: () => Promise.resolve(),
    log: { info: () => undefined, warn: () => undefined },
  });

  function openUnits(): ReadonlySet<string> {
    const open = macs.filter((mac) => {
      const found = live.units.find(mac);
      return found !== undefined && isOpen(found.place, found.state, now);
    });
    return new Set(open);
  }

  async function tellServer(): Promise<void> {
    const messages = said;
    said = [];
    for (const { kind, body, at } of messages)
      kit.ingest.accept({
        topic: `headrace/v1/${gatewayMac}/up/${kind}`,
        payload: Buffer.from(JSON.stringify(body)),
        sender: { kind: 'gateway', farmId: driver.farm.id, deviceId: driver.gateway.id, mac: gatewayMac },
        retained: false,
        receivedAt: new Date(at),
        ack: () => {},
      });
    await kit.ingest.drain();
  }

  let taken = 0;
  function tellDevices(): void {
    for (const { topic, body } of kit.published.slice(taken)) {
      const [, , mac = '', , kind = ''] = topic.split('/');
      if (mac === gatewayMac)
        live.gateways.get(mac)?.handle(kind as GatewayDownKind, Buffer.from(JSON.stringify(body)));
    }
    taken = kit.published.length;
  }

  async function runDevices(until: number): Promise<void> {
    for (let next = due.next(); next <= until; next = due.next()) {
      now = Math.max(now, next);
      tellTime();
      due.run(now);
      // What waits for its disk goes on.
      await setImmediate();
    }
    now = until;
  }

  let sentOffset = Number.NaN;
  /** As the server does within a minute of a change of the farm's clock. */
  function tellTime(): void {
    const time = timeFor(toZone(driver.farm), new Date(now));
    if (time.offsetSeconds === sentOffset) return;
    sentOffset = time.offsetSeconds;
    live.gateways.get(gatewayMac)?.handle('time', Buffer.from(JSON.stringify(time)));
  }

  live.start();
  tellTime();

  return {
    /** Lets time pass; sprinklers' valves are looked at in the middle of each minute. */
    async run(minutes: number): Promise<void> {
      const until = now + minutes * MINUTE;
      let reportedAt = now;
      while (now < until) {
        const middle = Math.floor(now / MINUTE) * MINUTE + MINUTE / 2;
        await runDevices(Math.min(until, middle > now ? middle : middle + MINUTE));
        if (now % MINUTE === MINUTE / 2) options.onMinute(now, openUnits());
        if (now - reportedAt < AT_ONCE && now < until) continue;
        kit.clock.now = new Date(now);
        await tellServer();
        reportedAt = now;
      }
    },

    /** Lets the server and its devices talk for some seconds: who asked something has the answer. */
    async talk(seconds: number): Promise<void> {
      for (let second = 0; second < seconds; second += 1) {
        tellDevices();
        await runDevices(now + 1000);
        if (now % MINUTE === MINUTE / 2) options.onMinute(now, openUnits());
        kit.clock.now = new Date(now);
        await tellServer();
        if (second % 5 === 0) await kit.tick();
      }
    },
    stop: () => due.stop(),
  };
}

function heardOf({ items }: { items: IpcItem[] }, isHeard: SimulatedFarmOptions['isHeard']): object | null {
  const heard = items.filter(isHeard);
  return heard.length > 0 ? { items: heard } : null;
}

/** A farm of the simulator with this one's addresses: nothing waters before it has a schedule. */
function profileOf({ gateway, units }: FarmDriver): FarmProfile {
  const made = makeFarmProfile({ seed: 1, sprinklers: units.length, tanks: 0 });
  const mac = gateway.mac ?? '';
  return {
    ...made,
    irrigation: null,
    gateways: made.gateways.slice(0, 1).map((one) => ({ ...one, mac })),
    sprinklers: made.sprinklers.map((one, index) => ({
      ...one,
      mac: units[index]?.mac ?? '',
      gatewayMac: mac,
    })),
  };
}

interface VirtualScheduler extends Scheduler {
  /** When the next is due, epoch ms. */
  next(): number;
  /** All that are due by then, in order. */
  run(now: number): void;
}

function createVirtualScheduler(): VirtualScheduler {
  let entries: { at: number; run: (now: number) => void }[] = [];
  return {
    add(at, run) {
      const place = entries.findIndex((entry) => entry.at > at);
      entries.splice(place < 0 ? entries.length : place, 0, { at, run });
    },
    size: () => entries.length,
    next: () => entries[0]?.at ?? Number.POSITIVE_INFINITY,
    run(now) {
      while ((entries[0]?.at ?? Number.POSITIVE_INFINITY) <= now) entries.shift()?.run(now);
    },
    stop: () => void (entries = []),
  };
}
