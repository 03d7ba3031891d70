import { Link, useSearch } from '@tanstack/react-router';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { ContestMac } from './contest-mac.tsx';
import { RegisteredDevice } from './registered-device.tsx';
import { ScanButton } from './scan-button.tsx';
import { SerialForm } from './serial-form.tsx';
import classes from './registry.module.css';

/** `/mac/lookup` */
export function MacLookupPage() {
  const { serial } = useSearch({ from: '/mac/lookup' });
  const patch = useSearchPatch<{ serial: string }>();
  return (
    <div className={classes.page}>
      <TitleBar title="MAC Address Lookup" back="/" />
      {/* Back brings the number before. */}
      <SerialForm
        key={serial}
        initial={serial ?? ''}
        onSubmit={(serialNumber) => patch({ serial: serialNumber })}
        renderScan={(onFound) => <ScanButton onFound={onFound} />}
      />
      {serial && (
        <RegisteredDevice serialNumber={serial}>
          {(found) => (
            <Link to="/barcode/$serial" params={{ serial: found.serialNumber }} className={classes.way}>
              Show its bar code
            </Link>
          )}
        </RegisteredDevice>
      )}
      <ContestMac />
    </div>
  );
}
