import type { CommandName } from '@headrace/contract/command-types';
import type { PlanFinding, SendPlan } from '@headrace/contract/commands';
import { isAvailable, obstacle } from './availability.ts';
import type { TargetGateway } from './targets.repo.ts';

const NAMES_SHOWN = 10;

/** What is worth knowing of the gateways before something is sent through them. */
export function gatewayFindings(
  name: CommandName,
  gateways: readonly TargetGateway[],
  now: Date,
): PlanFinding[] {
  const namesOf = (some: readonly TargetGateway[]) => some.map((gateway) => gateway.name);
  const away = gateways.filter((gateway) => !isAvailable(gateway, now));
  const isBlocked = obstacle(name, gateways, now) === 'listNotLoaded';
  return [
    ...finding('gatewayAway', namesOf(away), (count, [first]) =>
      count === 1
        ? `${first} is offline: its part waits until it is back.`
        : `${count} gateways are offline: their parts wait until they are back.`,
    ),
    ...finding(
      'listNotLoaded',
      isBlocked ? namesOf(gateways) : [],
      () => 'Commands blocked until sprinklers list is loaded.',
    ),
  ];
}

/** By names: units that must not water, those that the set has nothing for, those that it isn't for, and those that nobody has heard for long. */
export function unitFindings(units: {
  heldBack: readonly string[];
  isHeldBackSent: boolean;
  silent: readonly string[];
  unheard: readonly string[];
  cleared: readonly string[];
  keeping: readonly string[];
  outOfService: readonly string[];
  outOfServiceToo: readonly string[];
  /** Those that are left out may be inhibited, and stay so. */
  isUninhibit: boolean;
}): PlanFinding[] {
  return [
    ...finding('inhibited', units.heldBack, (count) => {
      const [what, be] =
        count === 1 ? ['1 inhibited sprinkler', 'is'] : [`${count} inhibited sprinklers`, 'are'];
      return units.isHeldBackSent ? `${what} would water again.` : `${what} ${be} left out.`;
    }),
    ...finding('notInSet', units.cleared, (count) =>
      count === 1
        ? '1 sprinkler is not in this set and is cleared: it waters no more.'
        : `${count} sprinklers are not in this set and are cleared: they water no more.`,
    ),
    ...finding('keepsSchedule', units.keeping, (count) =>
      count === 1
        ? '1 sprinkler is not in this set and keeps what it holds.'
        : `${count} sprinklers are not in this set and keep what they hold.`,
    ),
    ...finding('outOfService', units.outOfService, (count) => {
      const [what, are] = count === 1 ? ['1 sprinkler', 'is'] : [`${count} sprinklers`, 'are'];
      const left = `${what} ${are} spare or out of service and ${are} left out`;
      return units.isUninhibit
        ? `${left}: an inhibited one stays so until it is uninhibited itself.`
        : `${left}.`;
    }),
    ...finding('outOfServiceToo', units.outOfServiceToo, (count) =>
      count === 1
        ? '1 of them is spare or out of service: it may water all the same.'
        : `${count} of them are spare or out of service: they may water all the same.`,
    ),
    ...finding('outOfContact', units.silent, (count) =>
      count === 1
        ? '1 sprinkler is out of contact and is asked last.'
        : `${count} sprinklers are out of contact and are asked last.`,
    ),
    ...finding('unheard', units.unheard, (count) =>
      count === 1
        ? '1 sprinkler was not heard for 30 days and is left out: its schedule is sent when it is heard.'
        : `${count} sprinklers were not heard for 30 days and are left out: their schedules are sent when they are heard.`,
    ),
  ];
}

/** They were chosen from a list that has grown old. A stop goes to the others all the same. */
export function goneFinding(count: number): PlanFinding[] {
  if (count === 0) return [];
  const text =
    count === 1
      ? '1 of the chosen sprinklers is not here any more.'
      : `${count} of the chosen sprinklers are not here any more.`;
  return [{ kind: 'gone', text, count, names: [] }];
}

/** They aren't asked a second time while that goes on. */
export function polledFinding(count: number, total: number): PlanFinding[] {
  if (count === 0) return [];
  const are = count === 1 ? 'is' : 'are';
  const text = `${count} of ${total} ${are} being polled already: what they answer counts here too.`;
  return [{ kind: 'polledAlready', text, count, names: [] }];
}

/** Of what lets water run: those whose turn does not come before it is over. */
export function inTimeFinding(inTime: SendPlan['inTime'], toDo: number): PlanFinding[] {
  if (!inTime || inTime.count >= toDo) return [];
  const text = `About ${inTime.count} of ${toDo} have their turn within ${inTime.minutes} minutes; the others don't open.`;
  return [{ kind: 'notInTime', text, count: toDo - inTime.count, names: [] }];
}

function finding(
  kind: PlanFinding['kind'],
  names: readonly string[],
  textOf: (count: number, names: readonly string[]) => string,
): PlanFinding[] {
  if (names.length === 0) return [];
  return [
    { kind, text: textOf(names.length, names), count: names.length, names: names.slice(0, NAMES_SHOWN) },
  ];
}
