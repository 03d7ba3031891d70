import { Button } from '@mantine/core';
import { Dialog, Ways } from './dialog.tsx';
import classes from './forms.module.css';

export interface QuestionDialogProps {
  text: string;
  onAnswer: (isSure: boolean) => void;
  /** What saying no is called. */
  back?: string;
  confirm?: string;
}

/** Asks before something is saved that is hardly meant. */
export function QuestionDialog({
  text,
  onAnswer,
  back = 'Back to the form',
  confirm = 'Save it',
}: QuestionDialogProps) {
  return (
    <Dialog title="Is this meant?" onClose={() => onAnswer(false)} size={480}>
      <p className={classes.text}>{text}</p>
      <Ways>
        <Button variant="default" onClick={() => onAnswer(false)}>
          {back}
        </Button>
        <Button onClick={() => onAnswer(true)}>{confirm}</Button>
      </Ways>
    </Dialog>
  );
}
