import classes from './tank-help.module.css';

/** What is measured at a tank: drawn from the side, with the names that the fields have. */
export function TankHelp() {
  return (
    <svg
      className={classes.drawing}
      viewBox="20 0 430 230"
      role="img"
      aria-label="A tank from the side. Offset is from the floor up to the sensor, top water level from the floor up to the water when the tank is full, tank height from the floor to the rim."
    >
      <path className={classes.water} d="M150 62h140v143h-140z" />
      <path className={classes.surface} d="M150 62h140" />
      <path className={classes.tank} d="M150 30v175h140V30" />
      <path className={classes.cable} d="M262 14v146" />
      <rect className={classes.sensor} x="256" y="156" width="12" height="22" rx="4" />
      <Measure x={120} from={30} to={205} />
      <text x="110" y="122" textAnchor="end">
        Tank height
      </text>
      <Measure x={320} from={62} to={205} />
      <text x="330" y="112">
        Top water level
      </text>
      <Measure x={226} from={178} to={205} />
      <text x="216" y="196" textAnchor="end">
        Offset
      </text>
      <path className={classes.guide} d="M268 178h-52" />
      <text x="206" y="110" textAnchor="middle" className={classes.inWater}>
        Tank volume
      </text>
    </svg>
  );
}

/** A line with a bar at both ends. */
function Measure({ x, from, to }: { x: number; from: number; to: number }) {
  return <path className={classes.measure} d={`M${x - 5} ${from}h10M${x} ${from}V${to}M${x - 5} ${to}h10`} />;
}
