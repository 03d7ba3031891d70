import { formatDeadLetters } from '../dead-letters/dead-letters.command.ts';
import { listDeadLetters } from '../dead-letters/dead-letters.repo.ts';
import { brokerUserLines, writeBrokerUsers } from './broker-users.ts';
import { type Command, howMany } from './command.ts';
import { UsageError } from './usage-error.ts';

export const deviceCommands: Record<string, Command> = {
  'broker-users': {
    usage: 'broker-users <password file, or - to show the lines> [pid file]',
    does: "Brings Mosquitto's password file in step with all device keys, and makes the Mosquitto of the pid file read it",
    async run({ db }, [path, pidFile]) {
      if (!path) throw new UsageError('Give the path of the password file.');
      return path === '-' ? brokerUserLines(db) : writeBrokerUsers(db, path, pidFile);
    },
  },
  'dead-letters': {
    usage: 'dead-letters [how many, 50 unless said]',
    does: 'Lists the newest device messages that could not be used, and why',
    async run({ db }, [limitText]) {
      return formatDeadLetters(await listDeadLetters(db, { limit: howMany(limitText, 50) }));
    },
  },
};
