import { useQuery } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { Timezone } from '@headrace/contract/farms';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { behindText } from './behind.ts';
import { commandQuery } from './commands.queries.ts';
import { secondText } from './command-times.ts';
import { commandNote, commandLabel } from './command-labels.ts';

interface Props {
  farmUID: string;
  commandId: string;
  canRead: boolean;
}

/** One line on what became of a command: "accepted 10:02:11, done 10:02:14". */
export function CommandOutcome({ farmUID, commandId, canRead }: Props) {
  const zone = useChartZone(farmUID);
  const { data } = useQuery({ ...commandQuery(farmUID, commandId), enabled: canRead });
  if (!data) return <>sent</>;
  return <span className="num">{outcomeText(data, zone)}</span>;
}

/** Each answer with its time on the farm's clock; before the first, what is waited for. */
export function outcomeText({ command, steps }: Api['GET /command']['reply'], zone: Timezone): string {
  const accepted = steps.find(({ state }) => state === 'accepted');
  const time = (at: string) => secondText(Date.parse(at), zone);
  const said = accepted ? [`accepted ${time(accepted.at)}`] : [];
  const label = commandLabel(command);
  const note = commandNote(command);
  const behind = behindText(command.behind);
  if (!isUnderWay(command)) said.push(`${label.toLowerCase()} ${time(command.stateAt)}`);
  else if (behind) said.push(behind);
  else if (command.state !== 'accepted') said.push(label.charAt(0).toLowerCase() + label.slice(1));
  if (note && command.state !== 'done') return `${said.join(', ')}. ${note}`;
  return said.join(', ') || 'accepted';
}
