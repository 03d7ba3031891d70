import { commandTable } from '@headrace/device/commands';
import { laneOf } from '@headrace/device/lanes';
import type { MetricInfo } from '@headrace/device/metric-row';
import { sensorMetrics } from '@headrace/device/metrics';

const tables: Readonly<Record<string, () => string>> = { metrics: metricTable, commands: commandsTable };

/** A page of the docs with its tables written anew, each between `<!-- name -->` and `<!-- end of name -->`. */
export function withTables(page: string): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [before, rest, ...more] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`The page must have one ${begin.trim()} with its ${end}.`);
    return `${before}${begin}${table()}${end}${after}`;
  }, page);
}

function metricTable(): string {
  const rows = alike(sensorMetrics).map(([first, last]) => {
    const { unit, kind, type, limits } = first;
    const name = first === last ? `\`${first.name}\`` : `\`${first.name}\` … \`${last.name}\``;
    const measured = limits ? `${limits.min} to ${limits.max}` : '';
    return [name, type === 'boolean' ? 'boolean' : unit, kind, measured, meaningOf(first)];
  });
  return markdown(['member', 'unit', 'kind', 'can be', 'meaning'], rows);
}

/** "Soil moisture; by volume, from the top down": without the number, since one line stands for all of them. */
const meaningOf = ({ label, meaning }: MetricInfo): string =>
  [label.replace(/ [0-9]$/, ''), meaning].filter(Boolean).join('; ');

/** Rows that differ only by a number in their names, as depths do: first and last of each. */
function alike(metrics: readonly MetricInfo[]): [MetricInfo, MetricInfo][] {
  const found: [MetricInfo, MetricInfo][] = [];
  const shape = ({ name }: MetricInfo) => name.replace(/[0-9]+/, '#');
  for (const metric of metrics) {
    const last = found.at(-1);
    if (last && /[0-9]/.test(metric.name) && shape(last[0]) === shape(metric)) last[1] = metric;
    else found.push([metric, metric]);
  }
  return found;
}

const doneBy = { unit: 'the unit', units: 'each unit', gateway: 'the gateway' } as const;

function commandsTable(): string {
  const rows = commandTable.map(({ type, name, topic, target, members }) => {
    const [off, on] = [laneOf(type), laneOf(type, { set: true })];
    const lane = on === off ? String(off) : `on ${on}, off ${off}`;
    const sent = topic === 'cmd' && target === 'units' ? ['macs', ...members] : members;
    return [String(type), name, `\`down/${topic}\``, lane, doneBy[target], sent.join(', ') || '–'];
  });
  return markdown(['type', 'name', 'topic', 'lane', 'done is said by', 'members of the payload'], rows);
}

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
