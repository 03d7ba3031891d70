/** For how long nobody is told that an alert goes on: an hour, until 06:00, or until 18:00 of the next day. */
export const snoozeTimes = ['hour', 'morning', 'tomorrow'] as const;
export type SnoozeTime = (typeof snoozeTimes)[number];
