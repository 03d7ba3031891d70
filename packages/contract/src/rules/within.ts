/** The least and the most that a sensor can mean, in its own unit: what lies outside is a fault of sensor, cable or radio. */
export interface Limits {
  min: number;
  max: number;
}

export const isWithin = ({ min, max }: Limits, value: number | null | undefined): value is number =>
  typeof value === 'number' && value >= min && value <= max;
