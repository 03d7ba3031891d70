import { createOutboxRepo } from '../outbox/outbox.repo.ts';
import { createTlmRepo, type LeadRow } from '../tlm/tlm.repo.ts';
import { type OperatorSettings, setOperatorSetting } from '../settings/installation.ts';
import { listAudit } from './audit.ts';
import { type Command, howMany, isOn } from './command.ts';

/** What holds for everyone, and what was done. */
export const installationCommands: Record<string, Command> = {
  'account-creation': onOff('account-creation', 'Whether people may register', 'newAccountCreation'),
  'farm-creation': onOff('farm-creation', 'Whether owners may make farms', 'newFarmCreation'),
  outbox: {
    usage: 'outbox [how many, 20 unless said]',
    does: 'Shows the newest messages: what waits, what was sent, and why something was not',
    async run({ db }, [limitText]) {
      const rows = await createOutboxRepo(db).newest(howMany(limitText, 20));
      return rows.map(describe).join('\n---\n') || 'The outbox is empty.';
    },
  },
  'tlm-leads': {
    usage: 'tlm-leads [how many, 50 unless said]',
    does: 'Lists who asked for tank telemetry, the newest first',
    async run({ db }, [limitText]) {
      const rows = await createTlmRepo(db).newest(howMany(limitText, 50));
      return rows.map(describeLead).join('\n---\n') || 'Nobody has asked yet.';
    },
  },
  audit: {
    usage: 'audit [how many, 50 unless said]',
    does: 'Shows what operators did by command, the newest first',
    run: async ({ db }, [limitText]) => listAudit(db, howMany(limitText, 50)),
  },
};

type Row = Awaited<ReturnType<ReturnType<typeof createOutboxRepo>['newest']>>[number];

/** Names come from strangers: what would steer a terminal is shown as a dot. */
const harmless = (text: string) => text.replace(/[^\P{C}\n\u200d]/gu, '·');

function describeLead({ at, name, farmName, tanks, email, countryCode, mobile, notes }: LeadRow): string {
  const how = tanks === 1 ? '1 tank' : `${tanks} tanks`;
  const lines = [
    `${at.toISOString()}  ${name}, ${farmName}, ${how}`,
    `${email}, +${countryCode} ${mobile}`,
    ...(notes ? [notes] : []),
  ];
  return harmless(lines.join('\n'));
}

function describe(row: Row): string {
  const tried = row.tries > 0 ? `, tried ${row.tries} times` : '';
  const head = `${row.at.toISOString()}  ${row.way}  ${row.recipient}  ${row.state}${tried}`;
  const lines = [head, row.error && `Error: ${row.error}`, row.subject, row.body && `\n${row.body}`];
  const text = lines.filter((line) => line !== '').join('\n');
  return harmless(text);
}

function onOff(name: string, does: string, setting: keyof OperatorSettings & `new${string}`): Command {
  return {
    usage: `${name} <on or off>`,
    does,
    async run({ db, now }, [state]) {
      await setOperatorSetting(db, setting, isOn(state), now);
      return `${name} is ${state}.`;
    },
  };
}
