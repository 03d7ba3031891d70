import type { DiaryLog } from '@headrace/contract/irr-diary';
import classes from './diary.module.css';

const MINUTE = 60_000;
/** Room beside what is drawn, and the longest that is drawn: a closing may have been heard a day later. */
const ROOM = 10 * MINUTE;
const LONGEST = 6 * 60 * MINUTE;

/** What was planned as an outline; what was said filled, what is believed hatched. The words beside it say the same. */
export function RunBar({ log }: { log: DiaryLog }) {
  const { planned, start, stop, basis, bounds, minutes } = log;
  const plan = planned && { from: Date.parse(planned.start), to: Date.parse(planned.stop) };
  const isOpen = basis !== 'plan' && !(minutes === 0 && bounds === null);
  const from = Date.parse(start);
  const most = from + Math.min((bounds?.minutes.most ?? 0) * MINUTE, LONGEST);
  const said = isOpen ? { from, to: stop === null ? most : Date.parse(stop) } : null;
  const spans = [plan, said].filter((span) => span !== null);
  const [first, last] = [
    Math.min(...spans.map((span) => span.from)) - ROOM,
    Math.max(...spans.map((span) => span.to), isOpen ? most : 0) + ROOM,
  ];
  const place = (span: { from: number; to: number }) => ({
    left: `${((span.from - first) / (last - first)) * 100}%`,
    width: `${((Math.min(span.to, last) - span.from) / (last - first)) * 100}%`,
  });
  return (
    <span className={classes.track} aria-hidden="true">
      {isOpen && bounds && <i data-kind="possible" style={place({ from, to: most })} />}
      {said && <i data-kind={basis} style={place(said)} />}
      {plan && <i data-kind="planned" style={place(plan)} />}
    </span>
  );
}
