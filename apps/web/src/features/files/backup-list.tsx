import type { Backup } from '@headrace/contract/backups';
import { Age } from '../../ui/age.tsx';
import { changedText, contentText } from './backup-labels.ts';
import classes from './files.module.css';

export interface BackupListProps {
  backups: readonly Backup[];
  chosen: string;
  onChoose: (uid: string) => void;
}

/** One of them is chosen, for the buttons below. */
export function BackupList({ backups, chosen, onChoose }: BackupListProps) {
  return (
    <ul className={classes.rows} aria-label="Backups">
      {backups.map((backup) => (
        <li key={backup._id} className={classes.row}>
          <label className={classes.backup}>
            <span className={classes.tick}>
              <input
                type="radio"
                name="backup"
                checked={chosen === backup._id}
                onChange={() => onChoose(backup._id)}
              />
            </span>
            <About of={backup} />
          </label>
        </li>
      ))}
    </ul>
  );
}

function About({ of }: { of: Backup }) {
  const { desc, createdAt, by, automatic, bytes, fault } = of;
  const who = automatic ? 'by itself' : by && `by ${by}`;
  return (
    <span className={classes.about}>
      <span className={classes.title}>
        <strong>{desc || 'No description'}</strong>
        <Age at={createdAt} className={classes.line} />
        {who && <span className={classes.line}>{who}</span>}
      </span>
      <span className={classes.line}>
        {contentText(of)} · {Math.max(1, Math.round(bytes / 1024))} KB · {changedText(of)}
      </span>
      {fault === '' ? (
        <span className={classes.line}>
          <Trial of={of} />
        </span>
      ) : (
        <span className={classes.failed}>{fault}</span>
      )}
    </span>
  );
}

/** What could not be tried isn't at fault, and isn't proved either. */
function Trial({ of: { provedAt, tries, triedAt } }: { of: Backup }) {
  if (provedAt) return <Age at={provedAt}>✓ Restored on trial</Age>;
  if (triedAt === null) return 'Not restored on trial yet';
  return (
    <span className={classes.failed}>
      The trial restore could not be done{tries > 1 && ` ${tries} times`}, so nobody knows whether it can be
      relied on. It is tried again each hour, last <Age at={triedAt} />.
    </span>
  );
}
