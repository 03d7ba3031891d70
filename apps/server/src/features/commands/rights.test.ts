import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { flags, levels, type Permissions, presets } from '@headrace/contract/permissions';
import { buildAccount, buildShare } from '../../testing/factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Every command for everyone who may knock. */
let kit: CommandsKit;
let driver: FarmDriver;
const db = () => kit.server.database.db;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  driver = await kit.farm();
});

const goOffline = () =>
  db()
    .updateTable('gateway_state')
    .set({ online: false })
    .where('device_id', '=', driver.gateway.id)
    .execute();

/** The permission matrix, by hand: what each right lets one send. */
const allowedBy: Record<string, readonly CommandName[]> = {
  pollSprinkler: ['Poll', 'PollGroup', 'IncStatusReq'],
  inhibitSprinkler: ['Inhibit', 'Uninhibit'],
  inhibitGroup: ['InhibitGroup', 'UninhibitGroup'],
  sendScheduleToSite: ['UpdateSchedule', 'IpcUpdate', 'IncTimeSet'],
  sendScheduleToGroup: ['SendScheduleSet'],
  replaceSprinkler: ['Replace'],
  sendGatewaySettings: ['UpdateSettings'],
  sendRelayValues: ['ToggleIO'],
  irrigationEdit: [
    'ChangeGroupComms',
    'IpcUpdate',
    'IpcReconfigure',
    'ReconfigureGroup',
    'UpdateINCList',
    'IncReconfigure',
  ],
  gatewaysEdit: [
    'UpdateInc',
    'IncCommStart',
    'IncTimeSet',
    'IncStatusReq',
    'IncScheduleAll',
    'IncSaveIpcList',
    'IncSaveItuList',
    'IncClearStatus',
    'RefreshAll',
  ],
  valves: [
    'ValveOn',
    'ValveOff',
    'TurnGroupValvesOn',
    'TurnGroupValvesOff',
    'ChangeGroupComms',
    'IpcUpdate',
    'IpcReconfigure',
    'ReconfigureGroup',
    'UpdateINCList',
    'IncReconfigure',
  ],
};
const all = Object.keys(commandTypes) as CommandName[];

describe('who may send what', () => {
  // Whoever may send something may read something too, and with that ping.
  const reader = { ...presets.none, farms: levels.Read };
  const visitors: [name: string, permissions: Permissions, may: readonly CommandName[]][] = [
    ['a farm manager', presets.farmManager, all],
    ['an agent', presets.agent, all],
    ['a guest', presets.guest, ['Ping']],
    ['someone without rights', presets.none, []],
    ['someone who may read the farm', reader, ['Ping']],
    ...flags.map((flag): [string, Permissions, readonly CommandName[]] => [
      `someone who may read the farm, with ${flag}`,
      { ...reader, [flag]: true },
      [...(allowedBy[flag] ?? []), 'Ping'],
    ]),
    [
      'someone who may edit sprinklers',
      { ...reader, irrigationDevices: levels.Edit },
      [...(allowedBy['irrigationEdit'] ?? []), 'Ping'],
    ],
    [
      'someone who may edit sprinklers and toggle valves',
      { ...reader, irrigationDevices: levels.Edit, toggleValve: true },
      [...(allowedBy['valves'] ?? []), 'Ping'],
    ],
    [
      'someone who may edit gateways',
      { ...reader, gateways: levels.Edit },
      [...(allowedBy['gatewaysEdit'] ?? []), 'Ping'],
    ],
  ];
  for (const [name, permissions, may] of visitors)
    it(`${name}: ${may.length === 31 ? 'all' : may.join(', ') || 'nothing'}`, async () => {
      // Nothing goes out: whoever may send is told that the gateway isn't there, or what is missing.
      await goOffline();
      const account = await buildAccount(db());
      await buildShare(db(), driver.farm.id, account.id, permissions);
      const headers = await kit.server.signIn(account);
      const passed: string[] = [];
      for (const command of all) {
        const { statusCode } = await driver.send(command, {}, headers);
        expect([400, 403, 404, 409, 505]).toContain(statusCode);
        if (statusCode !== 403) passed.push(command);
      }
      expect(passed.toSorted()).toEqual(may.toSorted());
    });

  it('the owner may send all, a stranger nothing', async () => {
    await goOffline();
    const stranger = await kit.farm();
    for (const command of all) {
      expect((await driver.send(command, {})).statusCode).not.toBe(403);
      expect((await driver.send(command, {}, stranger.headers)).statusCode).toBe(404);
    }
  });
});
