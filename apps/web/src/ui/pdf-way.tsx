import { type ReactNode, Suspense, useState } from 'react';
import { PlainButton } from './plain-button.tsx';

interface Props {
  of: string;
  /** The report's dialog. */
  children: (onClose: () => void) => ReactNode;
}

/** A card's way to its report, whose code comes when it is asked for. */
export function PdfWay({ of, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <PlainButton onClick={() => setIsOpen(true)} label={`PDF of ${of}`}>
        PDF
      </PlainButton>
      {isOpen && <Suspense>{children(() => setIsOpen(false))}</Suspense>}
    </>
  );
}
