import { normaliseMac } from '@headrace/device/topics';
import { takeMacOff } from '../devices/change-records.ts';
import { macHoldersNow } from '../devices/taken-macs.ts';
import { endGatewayKeys } from '../gateways/gateways.repo.ts';
import { formatDeadLetters } from '../dead-letters/dead-letters.command.ts';
import { listDeadLetters } from '../dead-letters/dead-letters.repo.ts';
import { brokerUserLines, writeBrokerUsers } from './broker-users.ts';
import { replayLetters } from './replay-letters.ts';
import { type Command, howMany } from './command.ts';
import { UsageError } from './usage-error.ts';

/** As in the configuration that we ship. */
const STATE_FILE = '/var/lib/mosquitto/mosquitto.db';

export const deviceCommands: Record<string, Command> = {
  'release-mac': {
    usage: 'release-mac <MAC>',
    does: 'Takes a MAC off the device that has it, with its key if it is a gateway, so that another farm can add it: where two say that it is theirs',
    async run({ db, now }, [text]) {
      const mac = normaliseMac(text ?? '');
      if (mac === null) throw new UsageError('Give the MAC as on the label.');
      const [holder] = await macHoldersNow(db, [mac]);
      if (!holder) throw new UsageError('No device has this MAC.');
      await db.transaction().execute(async (trx) => {
        await takeMacOff(trx, holder, now);
        await endGatewayKeys(trx, holder.farm_id, holder.id, null);
      });
      return `${mac} was taken off ${holder.name}. A session that it has open ends when it connects again.`;
    },
  },
  'broker-users': {
    usage:
      "broker-users <password file, or - to show the lines> [pid file] [Mosquitto's data, /var/lib/mosquitto/mosquitto.db unless said]",
    does: "Brings Mosquitto's password file in step with all device keys, and makes the Mosquitto of the pid file read it",
    async run({ db }, [path, pidFile, stateFile = STATE_FILE]) {
      if (!path) throw new UsageError('Give the path of the password file.');
      return path === '-' ? brokerUserLines(db) : writeBrokerUsers(db, path, { pidFile, stateFile });
    },
  },
  'dead-letters': {
    usage:
      'dead-letters [how many, 50 unless said] | dead-letters replay <number of the letter, id of the farm, or all>',
    does: 'Lists device messages that could not be used, and why; replay takes them once more after the cause is gone',
    async run(context, [limitText, what]) {
      const { db } = context;
      if (limitText === 'replay') return replayLetters(context, what);
      return formatDeadLetters(await listDeadLetters(db, { limit: howMany(limitText, 50) }));
    },
  },
};
