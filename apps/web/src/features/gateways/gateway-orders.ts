import type { CommandName } from '@headrace/contract/command-types';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import type { ManyCommand } from '../commands/many/many-orders.ts';
import { versionText } from './gateway-columns.ts';

type Reported = Pick<Gateway, 'name' | 'info' | 'settings'>;

/** What is asked before it is sent. */
export interface GatewayQuestion {
  readonly title: string;
  readonly texts: readonly string[];
}

/** What is done first when somebody presses its button. */
type First =
  | { readonly first: 'nothing' }
  | { readonly first: 'question'; readonly question: (gateway: Reported) => GatewayQuestion }
  | { readonly first: 'settings' }
  | { readonly first: 'plan'; readonly plan: ManyCommand };

export type GatewayOrder = First & {
  readonly command: CommandName;
  /** Which types of gateway it is for; absent: all. */
  readonly types?: readonly number[];
  /** It is seldom wanted, and stands behind "More". */
  readonly isSeldom?: boolean;
};

const inc = [gatewayTypes.INC];
const now = { first: 'nothing' } as const;

/** What can be sent to a gateway from its dialog. */
const gatewayOrders: readonly GatewayOrder[] = [
  { command: 'Ping', ...now },
  { command: 'IncStatusReq', ...now, types: inc },
  { command: 'IncTimeSet', ...now },
  { command: 'UpdateINCList', ...now },
  { command: 'RefreshAll', first: 'plan', plan: 'RefreshAll', types: inc },
  { command: 'IncScheduleAll', first: 'plan', plan: 'IncScheduleAll', types: inc, isSeldom: true },
  { command: 'IncCommStart', ...now, types: inc, isSeldom: true },
  {
    command: 'UpdateSettings',
    first: 'settings',
    types: [gatewayTypes.INC, gatewayTypes.LSG_V1],
    isSeldom: true,
  },
  { command: 'IncSaveIpcList', ...now, types: inc, isSeldom: true },
  { command: 'IncSaveItuList', first: 'question', question: saveRepeaters, types: inc, isSeldom: true },
  { command: 'IncClearStatus', first: 'question', question: clearStatus, types: inc, isSeldom: true },
  { command: 'IncReconfigure', first: 'question', question: reconfigure, types: inc, isSeldom: true },
  { command: 'UpdateInc', first: 'question', question: updateFirmware, types: inc, isSeldom: true },
];

export const ordersFor = (type: number): readonly GatewayOrder[] =>
  gatewayOrders.filter(({ types }) => !types || types.includes(type));

function saveRepeaters({ name, settings: { rptrListSize } }: Reported): GatewayQuestion {
  const keeps = 'It keeps the list of repeaters that it has now, in place of the one that it kept before.';
  if (typeof rptrListSize !== 'number')
    return { title: `Save the repeaters list of ${name}?`, texts: [keeps] };
  const count = `${rptrListSize} ${rptrListSize === 1 ? 'repeater' : 'repeaters'}`;
  return {
    title: `Save the repeaters list of ${name}?`,
    texts: [keeps, `By its last report its list has ${count}.`],
  };
}

function clearStatus({ name }: Reported): GatewayQuestion {
  return {
    title: `Clear the status of ${name}?`,
    texts: ['What it counts, such as its valid messages, begins at zero again.'],
  };
}

function reconfigure({ name }: Reported): GatewayQuestion {
  return {
    title: `Reconfigure ${name}?`,
    texts: ['It sets itself up again. Until it has done so, what is sent through it may take longer.'],
  };
}

function updateFirmware({ name, info: { firmwareVersion } }: Reported): GatewayQuestion {
  const version = versionText(firmwareVersion);
  return {
    title: `Update the firmware of ${name}?`,
    texts: [
      ...(version === '–' ? [] : [`By its last report it has ${version}.`]),
      'It starts again to do so. Until it is back nothing can be sent through it, and what opens water and has not begun by then does not begin.',
      'Sprinklers water on by the schedules that they hold.',
    ],
  };
}
