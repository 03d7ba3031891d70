import { NAME_MIN, NEW_ACCOUNT_PAID_DAYS, PASSWORD_MIN } from '@headrace/contract/limits';
import { defaultWaterApplication } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { hashPassword } from '../accounts/password.ts';
import { formatDeadLetters } from '../dead-letters/dead-letters.command.ts';
import { listDeadLetters } from '../dead-letters/dead-letters.repo.ts';
import { createOutboxRepo } from '../outbox/outbox.repo.ts';
import { zoneOfPlace } from '../farms/zone-of-place.ts';
import { brokerUserLines, writeBrokerUsers } from './broker-users.ts';
import { UsageError } from './usage-error.ts';

export interface OperatorContext {
  db: Db;
  now: Date;
}

interface Command {
  usage: string;
  does: string;
  run(context: OperatorContext, args: string[]): Promise<string>;
}

const DAY = 86_400_000;

async function accountId(db: Db, email: string | undefined): Promise<number> {
  if (!email) throw new UsageError('Give the e-mail address.');
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!row) throw new UsageError(`There is no account ${email}.`);
  return row.id;
}

function checkPassword(password: string | undefined): string {
  if (!password || password.length < PASSWORD_MIN)
    throw new UsageError(`Give a password of ${PASSWORD_MIN} characters or more.`);
  return password;
}

function coordinate(text: string | undefined, name: string, limit: number): number {
  const value = Number(text);
  if (text === undefined || text === '' || !(Math.abs(value) <= limit))
    throw new UsageError(`Give ${name} in degrees, -${limit} to ${limit}.`);
  return value;
}

function howMany(text: string | undefined, unlessSaid: number): number {
  const limit = Number(text ?? unlessSaid);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new UsageError('Give a number from 1 to 10000.');
  return limit;
}

export const commands: Record<string, Command> = {
  'create-account': {
    usage: 'create-account <e-mail> <password> <name…>',
    does: 'Makes a farm owner',
    async run({ db, now }, [email, password, ...words]) {
      const name = words.join(' ').trim();
      if (!email?.includes('@')) throw new UsageError('Give an e-mail address.');
      if (name.length < NAME_MIN) throw new UsageError(`Give a name of ${NAME_MIN} characters or more.`);
      const taken = await db
        .selectFrom('account')
        .select('id')
        .where('email', '=', email.toLowerCase())
        .executeTakeFirst();
      if (taken) throw new UsageError('Sorry, this email is already registered.');
      const row = {
        uid: newUid(now),
        email: email.toLowerCase(),
        name,
        type: 'SUBSCRIBER' as const,
        password_hash: await hashPassword(checkPassword(password)),
        subscription_valid_until: new Date(now.getTime() + NEW_ACCOUNT_PAID_DAYS * DAY),
        mobile: null,
      };
      await db.insertInto('account').values(row).execute();
      return `Account ${row.email} made.`;
    },
  },
  'set-password': {
    usage: 'set-password <e-mail> <password>',
    does: 'Sets a new password and ends all sessions; a demo account becomes an ordinary one',
    async run({ db, now }, [email, password]) {
      const id = await accountId(db, email);
      const passwordHash = await hashPassword(checkPassword(password));
      await db
        .updateTable('account')
        .set({ password_hash: passwordHash, is_demo: false, updated_at: now })
        .where('id', '=', id)
        .execute();
      await db.deleteFrom('session').where('account_id', '=', id).execute();
      return 'Password set. All sessions have ended.';
    },
  },
  'create-farm': {
    usage: 'create-farm <owner e-mail> <lat> <lng> <name…>',
    does: 'Makes a farm with the time zone of its place',
    async run({ db, now }, [email, latText, lngText, ...words]) {
      const ownerId = await accountId(db, email);
      const lat = coordinate(latText, 'the latitude', 90);
      const lng = coordinate(lngText, 'the longitude', 180);
      const name = words.join(' ').trim();
      if (!name) throw new UsageError("Give the farm's name.");
      const zone = zoneOfPlace(lat, lng, now);
      const uid = newUid(now);
      await db
        .insertInto('farm')
        .values({
          uid,
          owner_id: ownerId,
          name,
          lat,
          lng,
          wal_config: JSON.stringify(defaultWaterApplication),
          time_zone_id: zone.timeZoneId,
          raw_offset: zone.rawOffset,
          dst_offset: zone.dstOffset,
          dst_enabled: zone.dstEnabled,
        })
        .execute();
      return `Farm ${name} made: ${uid}, ${zone.timeZoneId}.`;
    },
  },
  'list-accounts': {
    usage: 'list-accounts',
    does: 'Lists accounts',
    async run({ db }) {
      const rows = await db
        .selectFrom('account')
        .select(['email', 'name', 'type', 'is_demo'])
        .orderBy('email')
        .execute();
      return (
        rows
          .map((row) => `${row.email}  ${row.type}  ${row.name}${row.is_demo ? '  (demo)' : ''}`)
          .join('\n') || 'No accounts yet.'
      );
    },
  },
  outbox: {
    usage: 'outbox [how many, 20 unless said]',
    does: 'Shows the newest mail that waits to be sent',
    async run({ db }, [limitText]) {
      const mails = await createOutboxRepo(db).newest(howMany(limitText, 20));
      const texts = mails.map(
        (mail) => `${mail.at.toISOString()}  ${mail.recipient}\n${mail.subject}\n\n${mail.body}`,
      );
      return texts.join('\n---\n') || 'The outbox is empty.';
    },
  },
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
