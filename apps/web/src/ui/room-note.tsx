import { USAGE_NOTICE_PERCENT } from '@headrace/contract/limits';
import { exactTime, numberText } from './format.ts';
import { ShareUsed } from './share-used.tsx';
import classes from './share-used.module.css';

export interface RoomNoteProps {
  left: number;
  limit: number;
  /** What they are, as `invitations that an account may send in 24 hours`. */
  what: string;
  /** When there are more again. */
  moreAt: string | null;
}

/** On the page where a limit bites, from 80 % of it on: what is left, and when there is more. */
export function RoomNote({ left, limit, what, moreAt }: RoomNoteProps) {
  const used = limit - left;
  if (100 * used < USAGE_NOTICE_PERCENT * limit) return null;
  return (
    <p className={classes.note} role="status">
      <ShareUsed used={used} limit={limit} />
      <span className="num">
        {numberText(left)} of the {numberText(limit)} {what} are left.
        {moreAt !== null && ` There are more again at ${exactTime(Date.parse(moreAt))}.`}
      </span>
    </p>
  );
}
