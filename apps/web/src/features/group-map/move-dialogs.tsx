import { lazy, Suspense } from 'react';
import type { ConflictDialog as ConflictDialogOf, FieldLabels } from '../../forms/conflict-dialog.tsx';
import { QuestionDialog } from '../../forms/question-dialog.tsx';
import { placeText } from '../../device-records/place-text.ts';
import type { Places, SendMoves } from './use-send-moves.ts';

const ConflictDialog = lazy(() =>
  import('../../forms/conflict-dialog.tsx').then((m) => ({ default: m.ConflictDialog })),
) as unknown as typeof ConflictDialogOf;

/** What has to be answered before something is moved. */
export function MoveDialogs({ question, answer }: Pick<SendMoves, 'question' | 'answer'>) {
  if (!question) return null;
  if (question.is === 'far')
    return (
      <QuestionDialog
        text={question.text}
        back="Put it back"
        confirm="Move it there"
        onAnswer={(isSure) => answer(isSure ? 'sure' : null)}
      />
    );
  const labels = Object.fromEntries(
    question.batch.moves.map(({ id, name }) => [id, { label: `Location of ${name}`, text: placeText }]),
  ) as FieldLabels<Places>;
  return (
    <Suspense>
      <ConflictDialog
        conflict={question.conflict}
        labels={labels}
        back="Leave it there"
        onChosen={answer}
        onClose={() => answer(null)}
      />
    </Suspense>
  );
}
