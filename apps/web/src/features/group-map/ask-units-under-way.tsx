import { useEffect } from 'react';
import { type UnitsUnderWay, useUnitsUnderWay } from '../commands/units-under-way.queries.ts';

export interface AskUnitsUnderWayProps {
  farmUID: string;
  onUnderWay: (units: UnitsUnderWay) => void;
}

/** Asks what is under way for the farm's sprinklers, which rows say: loaded after them. */
export default function AskUnitsUnderWay({ farmUID, onUnderWay }: AskUnitsUnderWayProps) {
  const underWay = useUnitsUnderWay(farmUID);
  useEffect(() => onUnderWay(underWay), [underWay, onUnderWay]);
  return null;
}
