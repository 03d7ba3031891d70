import type { BodyOf } from '@headrace/contract/endpoint';
import type { contestMac } from '@headrace/contract/registry';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, tooMany, tryAgain } from '../../http/errors.ts';
import { roomAgain } from '../../room-again.ts';
import { logChanges } from '../changes/change-log.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';
import { macHolders } from '../devices/taken-macs.ts';
import type { Messages } from '../messages/messages.ts';
import { timeOf } from '../sharing/labels.ts';
import {
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
/** A report proves for so long that the device is within reach of the farm. */
const PROVES_MS = 7 * DAY_MS;
/**
 * A unit that was replaced or whose MAC was corrected has this long to report to its own farm. No shorter than a report proves, so
 * that what proves is always younger than the claim.
 */
const GRACE_MS = PROVES_MS;
/** By all farms of an account together: reports can be forged by who has a gateway's key. */
const CONTESTS_A_DAY = 5;

interface Parts {
  readonly db: Db;
  readonly records: DeviceRecords;
  readonly messages: Messages;
}

export function createMacClaimsService({ db, records, messages }: Parts) {
  /** Throws the reason why this farm doesn't get it. */
  async function prove(trx: Db, farm: FarmRow, entered: { mac: string; serial: string }, now: Date) {
    const { mac, serial } = entered;
    const claim = await claimElsewhere(trx, farm.id, mac);
    if (!claim) throw conflict('No other farm has this MAC address: add the device.', 'macAddress');
    const known = await serialsOf(trx, mac);
    if (known.length > 0 && !isAmong(known, serial))
      throw conflict('This MAC address belongs to another serial number.', 'serialNumber');
    if (claim.kind === 'gateway') refuseGateway(claim, known);
    else if (!(await wasHeardBy(trx, farm.id, mac, new Date(now.getTime() - PROVES_MS))))
      throw conflict(
        'None of your gateways and network servers has heard this device in the last 7 days. Switch it on within their reach, then try again.',
      );
    if (claim.is_heard)
      throw conflict('The other farm hears this device too. Please ask who runs this installation.');
    refuseYoung(claim, farm, now);
    return claim;
  }

  const tell = ({ name, kind, farm_name, owner_id }: Claim, mac: string, now: Date, trx: Db) =>
    messages.notify(
      owner_id,
      {
        title: 'A MAC address was given to another farm',
        message: `${name} on ${farm_name} was entered with the MAC address ${mac} and never heard. Another farm ${kind === 'gateway' ? 'has the serial number that belongs to it' : 'hears that device'}, so the address was taken off ${name}. Compare it with the label, and enter it again.`,
        link: '/mac/lookup',
      },
      now,
      trx,
    );

  return {
    /** A MAC belongs to who can prove it: takes it off a device of another farm that was never heard. */
    async contest(farm: FarmRow, body: BodyOf<typeof contestMac>, { accountId, now }: By): Promise<void> {
      const mac = normaliseMac(body.macAddress);
      if (mac === null) throw invalid('Please enter the MAC address as on the label.', 'macAddress');
      const entered = { mac, serial: body.serialNumber.trim() };
      const { farm_id } = await prove(db, farm, entered, now);
      await records.together(farm_id, async (trx) => {
        await refuseOften(trx, farm.owner_id, now);
        await macHolders(trx, [mac]);
        const claim = await prove(trx, farm, entered, now);
        await endClaim(trx, claim, now);
        const { id: farmId, uid, name } = farm;
        const fields = [{ field: 'mac', from: null, to: mac }];
        await logChanges(trx, [{ farmId, accountId, kind: 'farm', uid, name, what: CONTESTED, fields }], now);
        await tell(claim, mac, now, trx);
      });
    },
  };
}
export type MacClaimsService = ReturnType<typeof createMacClaimsService>;

const isAmong = (serials: readonly string[], serial: string) =>
  serials.some((one) => one.toLowerCase() === serial.toLowerCase());

/**
 * A gateway can't report before it has a key, which it gets from the farm that has its MAC. So its label is the proof: the serial number
 * that is registered for the MAC, where the other farm entered another.
 */
function refuseGateway({ serial_number: theirs }: Claim, known: readonly string[]): void {
  if (known.length === 0)
    throw conflict(
      'Which gateway has this MAC address is not registered here, and it can report only with its key. Please ask who runs this installation.',
    );
  if (isAmong(known, theirs.trim()))
    throw conflict(
      'The other farm has entered the right serial number too. Please ask who runs this installation.',
    );
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
      `The farms of an account can get ${CONTESTS_A_DAY} MAC addresses from others in 24 hours. ${tryAgain(restMs)}`,
      restMs,
    );
}
