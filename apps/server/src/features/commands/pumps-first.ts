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
  { add, checkGateways, dispatch, intend }: Pick<Sending, 'add' | 'checkGateways' | 'dispatch' | 'intend'>,
) {
  return {
    /**
     * Queued before the valves' own command, and so sent before it; also to a gateway that is away. One that follows a tank goes on
     * doing so: whoever closes valves may have no right to relays, and an empty tank is another harm. Throws what the valves' throws.
     */
    async off(by: Sender, intended: IntendedCommand): Promise<void> {
      if (!closesAll(intended)) return;
      checkGateways(intended, by.now);
      for (const { gatewayMac, relay } of await relays.pumps(by.farm.id)) {
        const payload = { relay, set: false };
        const asked = { farmUID: by.farm.uid, type: commandTypes.ToggleIO, mac: gatewayMac, payload };
        const off = await intend(by.farm, asked);
        const added = await add(
          { ...by, requestId: undefined },
          { ...off, payload: { ...off.payload, pumpFirst: true }, note: NOTE },
        );
        dispatch(by.farm.id, added, off.found);
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
        ...finding(
          'pumpFollowsTank',
          pumps.filter(({ tank }) => tank !== null),
          (names) =>
            `${names} goes on again by itself where its tank is low: to keep it off, please put it off by hand.`,
        ),
      ];
    },
  };
}

function finding(
  kind: 'pumpsFirst' | 'pumpAway' | 'pumpFollowsTank',
  pumps: readonly PumpRelay[],
  textOf: (names: string) => string,
): PlanFinding[] {
  if (pumps.length === 0) return [];
  const names = pumps.map(({ title, relay, gatewayName, tank }) => {
    const follows = kind === 'pumpFollowsTank' ? `, by ${tank}` : '';
    return `${title} (relay ${relay} of ${gatewayName}${follows})`;
  });
  return [{ kind, text: textOf(names.slice(0, NAMES_SHOWN).join(', ')), count: names.length, names: [] }];
}
