export interface Figure {
  what: string;
  value: string;
  /** Against the baseline of the same run. */
  ratio?: string;
  /** What the figure has to reach, and whether it did. */
  gate?: { text: string; met: boolean };
  /** What is aimed at; a figure beyond it is no fault. */
  target?: { text: string; met: boolean };
}

const lines: Figure[] = [];

export function record(figure: Figure): void {
  lines.push(figure);
  process.stdout.write(`${asLine(figure)}\n`);
}

function asLine({ what, value, ratio, gate, target }: Figure): string {
  const verdict = gate
    ? `  gate ${gate.text}: ${gate.met ? 'met' : 'MISSED'}`
    : target
      ? `  target ${target.text}: ${target.met ? 'met' : 'not met'}`
      : '';
  return `${what.padEnd(64)} ${value.padStart(22)}${ratio ? `  ratio ${ratio}` : ''}${verdict}`;
}

/** True when every gate was met. */
export const allGatesMet = () => lines.every(({ gate }) => gate?.met !== false);
