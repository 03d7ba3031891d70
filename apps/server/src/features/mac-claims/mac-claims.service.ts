import type { BodyOf } from '@headrace/contract/endpoint';
import type { contestMac } from '@headrace/contract/registry';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { takeMacOff } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { macHolders } from '../devices/taken-macs.ts';
import type { Messages } from '../messages/messages.ts';
import { type Claim, claimElsewhere, serialsOf, wasHeardBy } from './mac-claims.repo.ts';

const DAY_MS = 86_400_000;
/** A report proves for so long that the device is within reach of the farm. */
const PROVES_MS = 7 * DAY_MS;

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
    if (known.length > 0 && !known.some((one) => one.toLowerCase() === serial.toLowerCase()))
      throw conflict('This MAC address belongs to another serial number.', 'serialNumber');
    if (claim.kind === 'gateway')
      throw conflict(
        'A gateway has no way to report before it has its key. Please ask who runs this installation.',
      );
    if (!(await wasHeardBy(trx, farm.id, mac, new Date(now.getTime() - PROVES_MS))))
      throw conflict(
        'None of your gateways and network servers has heard this device in the last 7 days. Switch it on within their reach, then try again.',
      );
    if (claim.is_heard)
      throw conflict('The other farm hears this device too. Please ask who runs this installation.');
    return claim;
  }

  const tell = ({ name, farm_name, owner_id }: Claim, mac: string, now: Date, trx: Db) =>
    messages.notify(
      owner_id,
      {
        title: 'A MAC address was given to another farm',
        message: `${name} on ${farm_name} was entered with the MAC address ${mac} and never heard. Another farm hears that device, so the address was taken off ${name}. Compare it with the label, and enter it again.`,
        link: '/mac/lookup',
      },
      now,
      trx,
    );

  return {
    /** A MAC belongs to who can prove it: takes it off a device of another farm that was never heard. */
    async contest(farm: FarmRow, body: BodyOf<typeof contestMac>, now: Date): Promise<void> {
      const mac = normaliseMac(body.macAddress);
      if (mac === null) throw invalid('Please enter the MAC address as on the label.', 'macAddress');
      const entered = { mac, serial: body.serialNumber.trim() };
      const { farm_id } = await prove(db, farm, entered, now);
      await records.together(farm_id, async (trx) => {
        await macHolders(trx, [mac]);
        const claim = await prove(trx, farm, entered, now);
        await takeMacOff(trx, claim, now);
        await tell(claim, mac, now, trx);
      });
    },
  };
}
export type MacClaimsService = ReturnType<typeof createMacClaimsService>;
