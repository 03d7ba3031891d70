import { commsModes } from '@headrace/contract/comms-modes';

const words = new Map<number, string>(Object.entries(commsModes).map(([word, mode]) => [mode, word]));

export const commsModeText = (mode: number): string => words.get(mode) ?? String(mode);

export const commsModeOptions = (hasLora: boolean) =>
  [...words]
    .filter(([mode]) => hasLora || mode !== commsModes.LoRa)
    .map(([mode, label]) => ({ value: String(mode), label }));
