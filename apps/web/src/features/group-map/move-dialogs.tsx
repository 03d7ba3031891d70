import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { ConflictDialog, QuestionDialog } from '../../forms/lazy-dialogs.ts';
import { placeText } from '../../device-records/place-text.ts';
import type { Places, SendMoves } from './use-send-moves.ts';

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
    <ConflictDialog
      conflict={question.conflict}
      labels={labels}
      back="Leave it there"
      onChosen={answer}
      onClose={() => answer(null)}
    />
  );
}
