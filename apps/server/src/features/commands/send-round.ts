import { windowLifetimeMs } from '@headrace/device/command-life';
import { commandInfo, listAckId } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import type { Claim, MessageId } from './claim.ts';
import type { Receiver } from './deliver.repo.ts';
import {
  commandMessage,
  type DownMessage,
  listMessages,
  scheduleMessages,
  settingsMessage,
  timeMessage,
} from './down-messages.ts';
import type { DeliverOptions } from './gateway-turn.ts';
import { openMinutesAt } from './open-minutes.ts';
import type { Publish } from './publisher.ts';
import type { LiveUnit } from './waiting-units.ts';

type Options = Pick<DeliverOptions, 'repo' | 'now' | 'onChanged'>;

/** Units of one command that go in one message: claimed, sent, and marked as sent once the broker took it. */
export function createSendRound({ repo, now, onChanged }: Options, publish: Publish) {
  /** Returns how many must not get it. */
  async function sendRound(gateway: Receiver, round: readonly LiveUnit[]): Promise<number> {
    const [one] = round;
    if (!one) return 0;
    const isWindow = one.lane === lanes.many;
    const until = isWindow ? new Date(now().getTime() + windowLifetimeMs(round.length)) : null;
    const claim = await repo.claim(round, gateway, { id: await idFor(gateway, one), until, now: now() });
    const { units, heldBack } = claim;
    onChanged(heldBack.changed);
    const [first] = units;
    if (!first) return heldBack.count;
    for (const message of await messagesOf(gateway, first, claim)) {
      if (first.expiresAt <= now()) return heldBack.count;
      await publish(gateway, message);
    }
    await markSent(claim);
    if (units.some(({ state }) => state !== 'queued')) await repo.noteSentAgain(first, now());
    return heldBack.count;
  }

  /** It stays however often it is sent; a list is always the newest. */
  async function idFor(gateway: Receiver, { type, cmdId, uid }: LiveUnit): Promise<MessageId> {
    const topic = commandInfo(type)?.topic;
    if (topic === 'ipc-list') return { is: listAckId(await repo.listRev(gateway)) };
    if (cmdId !== null) return { is: cmdId };
    return topic === 'schedules' ? { ofSet: true } : { uid };
  }

  async function messagesOf(gateway: Receiver, command: LiveUnit, claim: Claim): Promise<DownMessage[]> {
    const { cmdId, units } = claim;
    const topic = commandInfo(command.type)?.topic;
    switch (topic) {
      case 'schedules':
        return scheduleMessages(command, named(units), revOf(cmdId), claim);
      case 'ipc-list':
        return listMessages(await repo.sprinklersList(gateway, revOf(cmdId)));
      case 'config':
        return [settingsMessage(command, gateway)];
      case 'time':
        return [timeMessage(gateway, now(), cmdId)];
      case 'cmd':
      case 'io-settings':
      case undefined:
        return [commandMessage(cmdId, heldOpenFor(gateway, command), named(units), claim)];
      default:
        return topic satisfies never;
    }
  }

  async function markSent({ units, cmdId }: Claim): Promise<void> {
    onChanged(await repo.move(units, ['queued'], { state: 'sent', note: '', at: now(), cmdId }));
  }

  return sendRound;
}

/** The gateway may be another than at the tap, or say since that it closes valves itself. */
const heldOpenFor = ({ supports }: Receiver, { maxOpenMinutes, ...command }: LiveUnit): LiveUnit => ({
  ...command,
  maxOpenMinutes: openMinutesAt(supports, maxOpenMinutes),
});

const named = (units: readonly LiveUnit[]) =>
  units.map(({ mac, unitName: name, entries, crc }) => ({ mac, name, entries, crc }));

/** 7 of `set-7` or `list-7`. */
const revOf = (cmdId: string) => Number(/\d+$/.exec(cmdId)?.[0] ?? 0);
