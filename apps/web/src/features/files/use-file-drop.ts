import { useEffect, useEffectEvent, useState } from 'react';

export interface DroppedFile {
  readonly file: File;
  /** Others were dropped with it, which are not taken. */
  readonly isOneOfSeveral: boolean;
}

/** Whether a file is being dragged over the window, which takes it wherever it is dropped. null: none is taken. */
export function useFileDrop(onFile: ((dropped: DroppedFile) => void) | null): boolean {
  const [isOver, setIsOver] = useState(false);
  const isOn = onFile !== null;
  const take = useEffectEvent((dropped: DroppedFile) => onFile?.(dropped));
  useEffect(() => {
    if (!isOn) return undefined;
    /** Elements that it is over: each that it enters is left again. */
    let entered = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      entered += 1;
      setIsOver(true);
    };
    const over = (event: DragEvent) => {
      // Else the browser opens the file in place of the page.
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      entered = Math.max(0, entered - 1);
      if (entered === 0) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      entered = 0;
      setIsOver(false);
      const [file, ...others] = event.dataTransfer?.files ?? [];
      if (file) take({ file, isOneOfSeveral: others.length > 0 });
    };
    const listeners = { dragenter: enter, dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener);
    return () => {
      setIsOver(false);
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener);
    };
  }, [isOn]);
  return isOver;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
