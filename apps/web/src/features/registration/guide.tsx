import { IconCheck } from '@tabler/icons-react';
import { guideLabels, type GuideStep } from './farm-guide.ts';
import classes from './registration.module.css';

/** The four steps, and what to do now. */
export function Guide({ step }: { step: GuideStep }) {
  return (
    <>
      <ol className={classes.guide} aria-label="Steps">
        {guideLabels.map(({ title }, index) => (
          <li
            key={title}
            aria-current={index + 1 === step ? 'step' : undefined}
            data-done={index + 1 < step || undefined}
          >
            <i>{index + 1 < step ? <IconCheck size={16} aria-hidden="true" /> : index + 1}</i>
            <span>{title}</span>
          </li>
        ))}
      </ol>
      <p className={classes.notice} role="status">
        {guideLabels[step - 1]?.text}
      </p>
    </>
  );
}
