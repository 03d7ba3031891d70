/** A consent of a demo farm and the meter that measures it. */
export interface DemoTake {
  /** The farm's name and its meter's. */
  readonly farm: string;
  readonly meter: string;
  readonly consentNo: string;
  readonly holder: string;
  readonly council: string;
  readonly source: string;
  readonly maxLps: number;
  readonly maxM3Day: number;
  readonly maxM3Year: number;
  readonly site: string;
}

export const demoTakes: readonly DemoTake[] = [
  {
    farm: 'Rakaia Downs',
    meter: 'Main pump meter',
    consentNo: 'DEMO-184512',
    holder: 'Rakaia Downs Ltd',
    council: 'Environment Canterbury',
    source: 'Bore on the Main Road block',
    maxLps: 24,
    maxM3Day: 900,
    maxM3Year: 90_000,
    site: 'DEMO123456M1',
  },
];
