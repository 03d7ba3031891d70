import { type ReactNode, useState } from 'react';
import { errorText } from '../../api/client.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { FileRow, FileRows } from '../../ui/file-rows.tsx';
import { TableFileRow } from '../../ui/table-file-row.tsx';
import { useMadeFile } from '../../ui/use-made-file.ts';
import { makePdf, ReportFault } from './make-pdf.ts';
import { makeReport } from './make-report.ts';
import type { ReportOrder } from './report-order.ts';

export interface ReportDialogProps {
  title: string;
  /** What it is of. */
  about: string;
  /** Of its files, without the ending. */
  name: string;
  /** What is on paper beside the table. */
  withWhat: string;
  order: () => ReportOrder | Promise<ReportOrder>;
  /** Rows of more files. */
  children?: ReactNode;
  onClose: () => void;
}

/** A report as a table and on paper, both with the same rows. */
export function ReportDialog({ title, about, name, withWhat, order, children, onClose }: ReportDialogProps) {
  const [isOpen, setIsOpen] = useState(true);
  const farm = useCurrentFarm();
  const pdf = useMadeFile({
    file: `${name}.pdf`,
    of: farm?._id,
    make: async () => ({ name: `${name}.pdf`, content: await makePdf(await order()) }),
    faultOf: (error) => (error instanceof ReportFault ? error.message : errorText(error)),
  });
  return (
    <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} onClosed={onClose} title={title} size={520}>
      <p>{about}</p>
      <FileRows>
        <TableFileRow
          file={`${name}.csv`}
          text="The rows, for a spreadsheet."
          make={async () => ({
            name: `${name}.csv`,
            content: new Blob([makeReport(await order()).csv], { type: 'text/csv' }),
          })}
        />
        <FileRow file={`${name}.pdf`} text={`The same rows on paper, with ${withWhat}.`} {...pdf} />
        {children}
      </FileRows>
    </Dialog>
  );
}
