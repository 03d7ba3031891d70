import { useId } from 'react';
import { HATCH, type WateringLook } from '../map/sprinkler-look.ts';
import { ConditionDot, type ConditionDotProps } from '../ui/condition-dot.tsx';
import { conditionShapes } from '../ui/condition-shapes.ts';

/** A sprinkler's condition as its marker shows it: filled where it said so, an outline by plan, hatched by conclusion. */
export function UnitDot({
  look,
  isStopAwaited,
  ...dot
}: ConditionDotProps & { look?: WateringLook | undefined; isStopAwaited?: true }) {
  if (!look && !isStopAwaited) return <ConditionDot {...dot} />;
  const spoken = dot.label === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': dot.label };
  return (
    <svg
      viewBox="0 0 16 16"
      width={dot.size}
      height={dot.size}
      style={{ flex: 'none', overflow: 'visible' }}
      {...spoken}
    >
      {look && dot.condition === 'watering' ? (
        <Drop look={look} />
      ) : (
        <path d={conditionShapes[dot.condition]} fill={`var(--hr-${dot.condition})`} fillRule="evenodd" />
      )}
      {isStopAwaited && (
        <>
          <circle cx="13" cy="13" r="4" fill="var(--hr-inhibited)" stroke="var(--hr-surface)" />
          <path d="M12 11v4M14 11v4" stroke="var(--hr-surface)" strokeWidth="1.2" />
        </>
      )}
      {look === 'overdue' && (
        <>
          <circle cx="13" cy="3" r="4" fill="var(--hr-issue)" stroke="var(--hr-surface)" />
          <path d="M13 .8v2.6M13 4.4v1" stroke="var(--hr-surface)" strokeWidth="1.2" />
        </>
      )}
    </svg>
  );
}

function Drop({ look }: { look: WateringLook }) {
  const clip = useId();
  const colour = 'var(--hr-watering)';
  return (
    <g fill="none" stroke={colour} strokeWidth="1.5" strokeLinejoin="round">
      <path d={conditionShapes.watering} />
      {look === 'overdue' ? (
        <>
          <clipPath id={clip}>
            <path d={conditionShapes.watering} />
          </clipPath>
          <path d={HATCH} clipPath={`url(#${clip})`} />
        </>
      ) : (
        <text x="8" y="12.8" fontSize="8.5" fontWeight="700" textAnchor="middle" fill={colour} stroke="none">
          ?
        </text>
      )}
    </g>
  );
}
