import { commandTypes } from '@headrace/contract/command-types';
import type { PlanFinding } from '@headrace/contract/commands';
import { isAvailable } from './availability.ts';
import type { CommandsOptions, PumpRelay, Sender } from './commands-options.ts';
import type { IntendedCommand } from './send-plan.ts';
import type { Sending } from './sending.ts';
import type { TargetGateway, TargetsRepo } from './targets.repo.ts';

const NOTE = 'Put off first: all valves of the farm are being closed.';
const NAMES_SHOWN = 10;

/** Every valve of the farm: its pumps would run against a shut main. */
const closesAll = ({ name, payload: { groupUID, uids } }: IntendedCommand) =>
  name === 'TurnGroupValvesOff' && (groupUID ?? 'FARM') === 'FARM' && uids === undefined;

/** Pumps go off before all valves of a farm are closed. Whoever marks a relay as a pump's wants that of whoever may close them. */
export function createPumpsFirst(
  relays: CommandsOptions['relays'],
  targets: Pick<TargetsRepo, 'gateways'>,
  { checkGateways, intend, sendNew }: Pick<Sending, 'checkGateways' | 'intend' | 'sendNew'>,
) {
  return {
    /** Queued before the valves' own command, and so sent before it; also to a gateway that is away. Throws what that one throws. */
    async off(by: Sender, intended: IntendedCommand): Promise<void> {
      if (!closesAll(intended)) return;
      checkGateways(intended, by.now);
      for (const { gatewayMac, relay } of await relays.pumps(by.farm.id)) {
        const payload = { relay, set: false };
        const asked = { farmUID: by.farm.uid, type: commandTypes.ToggleIO, mac: gatewayMac, payload };
        await sendNew({ ...by, requestId: undefined }, { ...(await intend(by.farm, asked)), note: NOTE });
      }
    },

    async findings(intended: IntendedCommand, now: Date): Promise<PlanFinding[]> {
      if (!closesAll(intended)) return [];
      const pumps = await relays.pumps(intended.farmId);
      if (pumps.length === 0) return [];
      const gateways = await targets.gateways(intended.farmId);
      const isThere = ({ gatewayMac }: PumpRelay) =>
        gateways.some((gateway: TargetGateway) => gateway.mac === gatewayMac && isAvailable(gateway, now));
      return [
        ...finding('pumpsFirst', pumps.filter(isThere), (names) => `Before that ${names} goes off.`),
        ...finding(
          'pumpAway',
          pumps.filter((pump) => !isThere(pump)),
          (names) => `The gateway of ${names} is offline: please stop the pump by hand.`,
        ),
      ];
    },
  };
}

function finding(
  kind: 'pumpsFirst' | 'pumpAway',
  pumps: readonly PumpRelay[],
  textOf: (names: string) => string,
): PlanFinding[] {
  if (pumps.length === 0) return [];
  const names = pumps.map(({ title, relay, gatewayName }) => `${title} (relay ${relay} of ${gatewayName})`);
  return [{ kind, text: textOf(names.slice(0, NAMES_SHOWN).join(', ')), count: names.length, names: [] }];
}
