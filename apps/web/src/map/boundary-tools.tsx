import type { ReactNode } from 'react';
import { Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconEraser,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { Segmented } from '../ui/segmented.tsx';
import type { EditorMode } from './boundary-editor.tsx';
import classes from './drawing.module.css';

const MODES: EditorMode[] = ['Pin', 'Drawable'];

export interface BoundaryToolsProps {
  mode: EditorMode;
  onMode: (mode: EditorMode) => void;
  disabled: boolean;
  /** null: not possible now. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  clear: (() => void) | null;
  finish: (() => void) | null;
  resume: (() => void) | null;
  remove: (() => void) | null;
}

/** What the map is for, and what can be done to the boundary. */
export function BoundaryTools(props: BoundaryToolsProps) {
  const { mode, onMode, disabled } = props;
  return (
    <div className={classes.tools}>
      <Segmented
        aria-label="What the map changes"
        data={MODES}
        value={mode}
        onChange={(value) => onMode(value === 'Pin' ? 'Pin' : 'Drawable')}
      />
      {mode === 'Drawable' && !disabled && (
        <div className={classes.actions} role="toolbar" aria-label="Boundary">
          {props.finish ? (
            <Tool label="Finish" act={props.finish} isWorded>
              <IconCheck size={19} />
            </Tool>
          ) : (
            <Tool label="Add points" act={props.resume} isWorded>
              <IconPlus size={19} />
            </Tool>
          )}
          <Tool label="Undo" act={props.undo}>
            <IconArrowBackUp size={20} />
          </Tool>
          <Tool label="Redo" act={props.redo}>
            <IconArrowForwardUp size={20} />
          </Tool>
          <Tool label="Delete point" act={props.remove}>
            <IconTrash size={20} />
          </Tool>
          <Tool label="Clear" act={props.clear}>
            <IconEraser size={20} />
          </Tool>
        </div>
      )}
    </div>
  );
}

interface ToolProps {
  label: string;
  act: (() => void) | null;
  /** Its word stands beside its picture. */
  isWorded?: boolean;
  isOn?: boolean;
  children: ReactNode;
}

/** One tool: 44 px, and out of use while there is nothing to do. */
export function Tool({ label, act, isWorded = false, isOn, children }: ToolProps) {
  const button = (
    <UnstyledButton
      className={classes.tool}
      aria-label={isWorded ? undefined : label}
      aria-pressed={isOn}
      disabled={act === null}
      onClick={() => act?.()}
    >
      {children}
      {isWorded && <span>{label}</span>}
    </UnstyledButton>
  );
  return isWorded ? (
    button
  ) : (
    <Tooltip label={label} withinPortal={false}>
      {button}
    </Tooltip>
  );
}
