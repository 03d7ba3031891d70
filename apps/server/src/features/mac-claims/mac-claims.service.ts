import type { BodyOf } from '@headrace/contract/endpoint';
import type { contestMac } from '@headrace/contract/registry';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, tooMany, tryAgain } from '../../http/errors.ts';
import { roomAgain } from '../../room-again.ts';
import { type FieldChange, logChanges } from '../changes/change-log.ts';
import type { Sender } from '../../mqtt/transport.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';
import { macHolders } from '../devices/taken-macs.ts';
import type { Messages } from '../messages/messages.ts';
import { timeOf } from '../sharing/labels.ts';
import {
  ANNOUNCED,
  announcedAt,
  type Claim,
  CONTESTED,
  claimElsewhere,
  contestsSince,
  endClaim,
  serialsOf,
  wasHeardBy,
} from './mac-claims.repo.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A report says for so long that the device is within reach of the farm. */
const PROVES_MS = 7 * DAY_MS;
/**
 * A unit that was replaced or whose MAC was corrected has this long to report to its own farm. No shorter than a report counts, so
 * that the report is always younger than the claim.
 */
const GRACE_MS = PROVES_MS;
/**
 * Who has a device that is heard is told so long before its MAC goes to who has the registered serial number. It may water somebody's farm,
 * and its owner may only have mistyped the number.
 */
const ANSWER_MS = 14 * DAY_MS;
/** A contest that nobody went on with is forgotten, and the owner is told anew. */
const FORGOTTEN_MS = 2 * ANSWER_MS;
/** By all farms of an account together: reports can be forged by who has a gateway's key. */
const CONTESTS_A_DAY = 5;

interface Parts {
  readonly db: Db;
  readonly records: DeviceRecords;
  readonly messages: Messages;
  /** Ends the broker sessions of a gateway that has lost its key. */
  readonly disconnect: (sender: Sender) => void;
}

interface Contestant {
  readonly farm: FarmRow;
  readonly accountId: number | null;
  readonly mac: string;
}

export function createMacClaimsService({ db, records, messages, disconnect }: Parts) {
  /** Throws the reason why this farm doesn't get it. */
  async function prove(trx: Db, farm: FarmRow, entered: { mac: string; serial: string }, now: Date) {
    const { mac, serial } = entered;
    const claim = await claimElsewhere(trx, farm.id, mac);
    if (!claim) throw conflict('No other farm has this MAC address: add the device.', 'macAddress');
    const known = await serialsOf(trx, mac);
    if (known.length > 0 && !isAmong(known, serial))
      throw conflict(
        'This MAC address is registered for another serial number. Compare both with the label; if they are right, ask who runs this installation.',
        'serialNumber',
      );
    if (claim.kind === 'gateway') refuseRightful(claim, known, OF_GATEWAY);
    else if (!(await wasHeardBy(trx, farm.id, mac, new Date(now.getTime() - PROVES_MS))))
      throw conflict(
        'None of your gateways and network servers has heard this device in the last 7 days. Switch it on within their reach, then try again.',
      );
    if (claim.is_heard) refuseRightful(claim, known, OF_HEARD);
    else refuseYoung(claim, farm, now);
    return claim;
  }

  const tell = (claim: Claim, mac: string, now: Date, trx: Db) =>
    messages.notify(
      claim.owner_id,
      {
        title: 'A MAC address was given to another farm',
        message: takenText(claim, mac),
        link: '/mac/lookup',
      },
      now,
      trx,
    );

  async function take(trx: Db, claim: Claim, by: Contestant, now: Date): Promise<void> {
    await endClaim(trx, claim, now);
    await logContest(trx, by, [{ field: 'mac', from: null, to: by.mac }], now);
    await tell(claim, by.mac, now, trx);
  }

  /** Until when the other owner may answer; null: they had their time. */
  async function answerTime(trx: Db, claim: Claim, by: Contestant, now: Date): Promise<Date | null> {
    const before = await announcedAt(trx, claim, new Date(now.getTime() - FORGOTTEN_MS));
    const until = new Date((before ?? now).getTime() + ANSWER_MS);
    if (before) return now < until ? until : null;
    const { farm_id: farmId, kind, uid, name, owner_id } = claim;
    await logChanges(trx, [{ farmId, accountId: null, kind, uid, name, what: ANNOUNCED, fields: [] }], now);
    const title = `Another farm says that ${name} is theirs`;
    await messages.notify(
      owner_id,
      { title, message: announcedText(claim, by.mac, until), link: '/mac/lookup' },
      now,
      trx,
    );
    await logContest(trx, by, [], now);
    return until;
  }

  return {
    /**
     * A MAC belongs to who can prove it: takes it off a device of another farm that was never heard, or whose owner has entered another
     * serial number than the registered one and has not corrected it in time.
     */
    async contest(farm: FarmRow, body: BodyOf<typeof contestMac>, { accountId, now }: By): Promise<void> {
      const mac = normaliseMac(body.macAddress);
      if (mac === null) throw invalid('Please enter the MAC address as on the label.', 'macAddress');
      const entered = { mac, serial: body.serialNumber.trim() };
      const { farm_id } = await prove(db, farm, entered, now);
      const { claim, until } = await records.together(farm_id, async (trx) => {
        await refuseOften(trx, farm.owner_id, now);
        await macHolders(trx, [mac]);
        const found = await prove(trx, farm, entered, now);
        const by = { farm, accountId, mac };
        const answer = found.is_heard ? await answerTime(trx, found, by, now) : null;
        if (!answer) await take(trx, found, by, now);
        return { claim: found, until: answer };
      });
      if (until) throw conflict(waitText(until, farm), 'macAddress');
      const { farm_id: farmId, id: deviceId, kind } = claim;
      if (kind === 'gateway') disconnect({ kind, farmId, deviceId, mac });
    },
  };
}
export type MacClaimsService = ReturnType<typeof createMacClaimsService>;

const isAmong = (serials: readonly string[], serial: string) =>
  serials.some((one) => one.toLowerCase() === serial.toLowerCase());

const logContest = (trx: Db, { farm, accountId }: Contestant, fields: readonly FieldChange[], now: Date) =>
  logChanges(
    trx,
    [{ farmId: farm.id, accountId, kind: 'farm', uid: farm.uid, name: farm.name, what: CONTESTED, fields }],
    now,
  );

function takenText({ name, kind, farm_name, serial_number, is_heard }: Claim, mac: string): string {
  if (is_heard)
    return `${name} on ${farm_name} had the MAC address ${mac}, which is registered for another serial number than ${serial_number}. Another farm has that number, and you were told 14 days ago, so the address was taken off ${name}. Whoever runs this installation can give it back.`;
  const proof = kind === 'gateway' ? 'has the serial number that belongs to it' : 'hears that device';
  return `${name} on ${farm_name} was entered with the MAC address ${mac} and never heard. Another farm ${proof}, so the address was taken off ${name}. Compare it with the label, and enter it again.`;
}

const announcedText = ({ name, farm_name, farm_zone, serial_number }: Claim, mac: string, until: Date) =>
  `${name} on ${farm_name} has the MAC address ${mac}, which is registered for another serial number than ${serial_number}, and another farm has that number. Compare both with the label of ${name}. If it is yours, correct its serial number before ${timeOf(until, farm_zone)}; else the MAC address is taken off it.`;

const waitText = (until: Date, farm: FarmRow) =>
  `The other farm hears this device too, but under another serial number than the registered one. Its owner was told, and can correct that until ${timeOf(until, farm.time_zone_id)}. Contest it again then.`;

interface Refusals {
  /** Nobody registered which serial number belongs to the MAC. */
  readonly unknown: string;
  /** The other farm entered that which is registered. */
  readonly theirs: string;
}

/**
 * That a farm hears a device proves little: its gateway's or network server's key is theirs, and whoever has one can say anything with it,
 * a gateway's first sign-in included, whose key its MAC's first claimant is given. So what the operator or the manufacturer registered counts
 * for more; without that, nothing decides between two who hear it.
 */
const OF_HEARD: Refusals = {
  unknown:
    'The other farm hears this device too, and which serial number belongs to this MAC address is not registered here. Please ask who runs this installation.',
  theirs:
    'The other farm hears this device too, and has entered the right serial number. Please ask who runs this installation.',
};

/**
 * A gateway can't report before it has a key, which it gets from the farm that has its MAC. So its label is the proof: the serial number
 * that is registered for the MAC, where the other farm entered another.
 */
const OF_GATEWAY: Refusals = {
  unknown:
    'Which gateway has this MAC address is not registered here, and it can report only with its key. Please ask who runs this installation.',
  theirs: 'The other farm has entered the right serial number too. Please ask who runs this installation.',
};

/** Unless the registered serial number is another than the other farm's. */
function refuseRightful({ serial_number }: Claim, known: readonly string[], texts: Refusals): void {
  if (known.length === 0) throw conflict(texts.unknown);
  if (isAmong(known, serial_number.trim())) throw conflict(texts.theirs);
}

/** To the next minute: at the time that is told it is so. */
function refuseYoung({ entered_at }: Claim, farm: FarmRow, now: Date): void {
  const from = entered_at.getTime() + GRACE_MS;
  if (now.getTime() >= from) return;
  const told = timeOf(new Date(Math.ceil(from / MINUTE_MS) * MINUTE_MS), farm.time_zone_id);
  throw conflict(
    `The other farm entered this MAC address less than 7 days ago, and its device may still report. You can contest it from ${told}.`,
    'macAddress',
  );
}

/** Throws tooMany. */
async function refuseOften(trx: Db, ownerId: number, now: Date): Promise<void> {
  const uses = await contestsSince(trx, ownerId, new Date(now.getTime() - DAY_MS));
  const restMs = roomAgain(uses, CONTESTS_A_DAY, 1, now).getTime() - now.getTime();
  if (restMs > 0)
    throw tooMany(
      `The farms of an account can contest ${CONTESTS_A_DAY} MAC addresses in 24 hours. ${tryAgain(restMs)}`,
      restMs,
    );
}
