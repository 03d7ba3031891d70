import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { ImportDialogProps } from './import-dialog.tsx';

/** The import dialog, whose code comes when it is first opened. */
export const LazyImportDialog = lazyDialog<ImportDialogProps>(() =>
  import('./import-dialog.tsx').then((m) => m.ImportDialog),
);
