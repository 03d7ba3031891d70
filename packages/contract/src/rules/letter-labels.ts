import { wholeText } from './number-text.ts';
/** What a person is told of messages that were not taken. */
export interface LetterLabels {
  /** Why, as a sentence. */
  readonly why: string;
  /** What can be done about it. */
  readonly todo: string;
}

type Explanation = readonly [pattern: RegExp, why: string | ((...found: string[]) => string), todo: string];

const PROTOCOL_TODO =
  'Tell whoever made or set up the device: it has to send what the device protocol says. These messages stay as they are.';

/** The first that fits; reasons are the server's own, so each kind of them is here. */
const explanations: readonly Explanation[] = [
  [
    /^the server's clock is behind/,
    "The server's own clock is wrong, so it can't tell whether these readings are from now.",
    'Nothing: they are kept, and taken by themselves when the clock is right. The operator has been told.',
  ],
  [
    /^unknown device ([0-9A-F]+)/,
    (mac) => `This farm has no device with the MAC ${mac}.`,
    'Add the device, or correct the MAC of the one it is. Then try again.',
  ],
  [
    /^device ([0-9A-F]+) is a (.+), not a (.+)/,
    (mac, kind, said) => `${mac} is a ${kind} of this farm, and was reported as a ${said}.`,
    'Correct it at the gateway, or the record here. Then try again.',
  ],
  [
    /is older than the (\d+) days/,
    (days) => `The reading is older than the ${days} days that readings are kept.`,
    "Nothing can be done for these. Check the device's clock if they were taken lately.",
  ],
  [
    /minutes ahead of the clock/,
    'The time of the reading lay ahead when it came.',
    "Set the device's or gateway's clock. When these were really measured isn't known, so they can't be taken.",
  ],
  [
    /^over the limit of .* values/,
    'The farm keeps as many values as it may.',
    'Remove devices that are gone, or ask the operator for more. Then try again.',
  ],
  [
    /^over the limit of (\d+) readings a day for (a farm|all farms of an account)/,
    (limit, whose) =>
      `More than ${wholeText(Number(limit))} readings a day came from ${whose === 'a farm' ? 'this farm' : "all of the owner's farms"}.`,
    'Try again tomorrow. If a device sends far too often, set its interval; if the farm is that large, ask the operator for more.',
  ],
  [
    /^not decoded: (.*)/s,
    (problem) => `The payload couldn't be decoded: ${problem}.`,
    "Choose or correct the codec and its mapping on the sensor's page. Then try again.",
  ],
  [
    /^could not be stored/,
    "The server couldn't store it.",
    'Try again. If it fails again, tell the operator.',
  ],
  [/^message has (\d+) bytes/, (bytes) => `The message is too large: ${bytes} bytes.`, PROTOCOL_TODO],
  [/^other reasons/, 'There are more different reasons than are listed.', 'Deal with the others first.'],
  [/^more of this message/, 'More of the same message was not taken.', 'See its other reasons.'],
];

/** Pure. A reason of no other kind is what the device protocol doesn't allow, and says itself what. */
export function letterText(reason: string): LetterLabels {
  for (const [pattern, why, todo] of explanations) {
    const [found, ...groups] = pattern.exec(reason) ?? [];
    if (found !== undefined) return { why: typeof why === 'string' ? why : why(...groups), todo };
  }
  return { why: `The message isn't as the device protocol has it: ${reason}.`, todo: PROTOCOL_TODO };
}
