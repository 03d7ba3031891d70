import { type ReactNode, Suspense, useState } from 'react';
import { PlainButton } from '../../ui/plain-button.tsx';

/** A card's way to its report, whose code comes when it is asked for. */
export function PdfWay({ of, report }: { of: string; report: (onClose: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <PlainButton onClick={() => setIsOpen(true)} label={`PDF of ${of}`}>
        PDF
      </PlainButton>
      {isOpen && <Suspense>{report(() => setIsOpen(false))}</Suspense>}
    </>
  );
}
