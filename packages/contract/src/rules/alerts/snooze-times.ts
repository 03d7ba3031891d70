/** For how long nobody is told that an alert goes on: an hour, until 06:00, or until 18:00 of the next day. */
export const snoozeTimes = ['hour', 'morning', 'tomorrow'] as const;
export type SnoozeTime = (typeof snoozeTimes)[number];

/** For how long nobody is told what an alert, or a farm, finds. */
export const pauseTimes = [...snoozeTimes, 'week'] as const;
export type PauseTime = (typeof pauseTimes)[number];
