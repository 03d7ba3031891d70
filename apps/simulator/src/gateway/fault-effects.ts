import type { FaultKind } from '../faults/fault-kinds.ts';

interface FaultParts {
  readonly setDown: (isDown: boolean) => void;
  /** As after a power cut. */
  readonly onRestart: () => void;
  readonly restart: () => void;
  readonly loseTime: () => void;
  readonly loseList: () => void;
}

/** What faults do as they begin or end. It says hello anew where the server must know: of what it keeps, of its list, that it needs the time. */
export const faultEffects = ({
  setDown,
  onRestart,
  restart,
  loseTime,
  loseList,
}: FaultParts): Partial<Record<FaultKind, (begins: boolean) => void>> => ({
  'gateway-down': (begins) => {
    if (!begins) onRestart();
    setDown(begins);
  },
  'clock-not-set': (begins) => (begins ? loseTime() : restart()),
  'list-lost': (begins) => {
    if (begins) loseList();
  },
  'list-not-loaded': loseList,
  'old-firmware': restart,
  'old-units': restart,
});
