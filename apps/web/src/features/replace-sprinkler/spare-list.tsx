import { useState } from 'react';
import { Button } from '@mantine/core';
import { readinessColour, readinessText } from '@headrace/contract/rules/spare-readiness';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { choiceWhyNot, choiceText, cureText, type SpareChoice } from './spare-choice.ts';
import classes from './replace.module.css';

interface SpareListProps {
  /** The best first. */
  choices: readonly SpareChoice[];
  /** Why nothing can be sent now; null: it can. */
  why: string | null;
  isBusy: boolean;
  onChoose: (choice: SpareChoice) => void;
}

/** So many are shown at first. */
const FIRST = 5;

/** The farm's spares with what speaks for each. */
export function SpareList({ choices, why, isBusy, onChoose }: SpareListProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? choices : choices.slice(0, FIRST);
  return (
    <>
      <p className={classes.count}>{countLabel(choices)}</p>
      <ul className={classes.spares} aria-label="Spares of this farm">
        {shown.map((choice, place) => (
          <SpareRow
            key={choice.spare.id}
            choice={choice}
            isBest={place === 0}
            why={why ?? choiceWhyNot(choice)}
            isBusy={isBusy}
            onChoose={() => onChoose(choice)}
          />
        ))}
      </ul>
      {shown.length < choices.length && (
        <Button variant="default" mih={44} onClick={() => setIsWhole(true)}>
          Show all {choices.length}
        </Button>
      )}
    </>
  );
}

interface SpareRowProps {
  choice: SpareChoice;
  isBest: boolean;
  why: string | null;
  isBusy: boolean;
  onChoose: () => void;
}

function SpareRow({ choice, isBest, why, isBusy, onChoose }: SpareRowProps) {
  const { spare } = choice;
  const condition = readinessColour(spare.spareStatus);
  const cure = cureText(choice);
  return (
    <li>
      <ConditionDot condition={condition} label={null} size={18} />
      <div className={classes.facts}>
        <b>
          {spare.name} <span className="num">{spare.serialNumber}</span>
        </b>
        <span>{choiceText(choice)}</span>
        {cure !== null && <span>{cure}</span>}
        <Age at={spare.statusTime || null} never="Never heard">
          Heard
        </Age>
        {why !== null && <span className={classes.why}>{why}</span>}
      </div>
      <Button
        variant={isBest ? 'filled' : 'default'}
        mih={44}
        aria-disabled={why !== null || isBusy || undefined}
        aria-label={`Replace with ${spare.name}, ${spare.serialNumber}`}
        onClick={() => why === null && !isBusy && onChoose()}
      >
        Replace
      </Button>
    </li>
  );
}

/** "3 ready, 1 not ready". */
function countLabel(choices: readonly SpareChoice[]): string {
  const texts = choices.map(({ spare }) => readinessText(spare.spareStatus));
  return (['Ready', 'Not Ready', 'Unknown'] as const)
    .map((text) => ({ text, count: texts.filter((one) => one === text).length }))
    .filter(({ count }) => count > 0)
    .map(({ text, count }) => `${count} ${text.toLowerCase()}`)
    .join(', ');
}
