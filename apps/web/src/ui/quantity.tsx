import { numberText } from './format.ts';

export interface QuantityProps {
  value: number | null | undefined;
  unit: string;
  digits?: number | undefined;
  className?: string | undefined;
}

/** A number with its unit, smaller and lighter, kept on one line. What isn't known is a dash without a unit. */
export function Quantity({ value, unit, digits = 0, className }: QuantityProps) {
  const isKnown = value !== null && value !== undefined && Number.isFinite(value);
  return (
    <span className={['num', className].join(' ')} style={{ whiteSpace: 'nowrap' }}>
      {numberText(value, digits)}
      {isKnown && <span className="unit">{unit}</span>}
    </span>
  );
}
