import { commsModes } from '@headrace/contract/comms-modes';

const labels = new Map<number, string>(Object.entries(commsModes).map(([label, mode]) => [mode, label]));

export const commsModeText = (mode: number): string => labels.get(mode) ?? String(mode);

export const commsModeOptions = (hasLora: boolean) =>
  [...labels]
    .filter(([mode]) => hasLora || mode !== commsModes.LoRa)
    .map(([mode, label]) => ({ value: String(mode), label }));
