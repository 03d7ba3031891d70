/** Accounts of the demo. All have the same password, printed at the first start. */
export const demoPassword = 'headrace';

export type AccountProfile = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: 'SUBSCRIBER' | 'AGENT';
};

export const demoAccounts: readonly AccountProfile[] = [
  { email: 'owner@headrace.test', firstName: 'Mere', lastName: 'Ellison', role: 'SUBSCRIBER' },
  { email: 'manager@headrace.test', firstName: 'Tom', lastName: 'Hargreaves', role: 'AGENT' },
  { email: 'agent@headrace.test', firstName: 'Priya', lastName: 'Nair', role: 'AGENT' },
  { email: 'guest@headrace.test', firstName: 'Hemi', lastName: 'Walker', role: 'AGENT' },
];

/** Who may use whose farm, by the presets of the product. */
export type ShareProfile = {
  readonly email: string;
  readonly farmKey: string;
  readonly preset: 'farmManager' | 'agent' | 'guest';
};

export const demoShares: readonly ShareProfile[] = [
  { email: 'manager@headrace.test', farmKey: 'rakaia-downs', preset: 'farmManager' },
  { email: 'manager@headrace.test', farmKey: 'waihao-flats', preset: 'farmManager' },
  { email: 'agent@headrace.test', farmKey: 'waihao-flats', preset: 'agent' },
  { email: 'agent@headrace.test', farmKey: 'barcoo-station', preset: 'agent' },
  { email: 'guest@headrace.test', farmKey: 'rakaia-downs', preset: 'guest' },
];
