import { lazyDialog } from '../ui/lazy-dialog.tsx';
import type { ConflictDialog as ConflictDialogOf } from './conflict-dialog.tsx';

/** What forms ask now and then. One whose code doesn't come is answered with what loses nothing: the form stays as it is. */
export const LeaveDialog = lazyDialog(
  () => import('./leave-dialog.tsx').then((m) => m.LeaveDialog),
  ({ onStay }) => onStay(),
);
export const QuestionDialog = lazyDialog(
  () => import('./question-dialog.tsx').then((m) => m.QuestionDialog),
  ({ onAnswer }) => onAnswer(false),
);
// It would forget the type parameter.
export const ConflictDialog = lazyDialog(() =>
  import('./conflict-dialog.tsx').then((m) => m.ConflictDialog<object>),
) as unknown as typeof ConflictDialogOf;
