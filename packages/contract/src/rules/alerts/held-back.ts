/** Why something that was told did not go by a way that its person wants. */
export const heldBackReasons = ['quiet hours', 'the limit of SMS a day', 'snoozed'] as const;
export type HeldBackReason = (typeof heldBackReasons)[number];

export const heldBackTexts: Readonly<Record<HeldBackReason, string>> = {
  'quiet hours': 'your quiet hours',
  'the limit of SMS a day': 'your limit of SMS a day',
  snoozed: 'a snooze or a pause',
};
