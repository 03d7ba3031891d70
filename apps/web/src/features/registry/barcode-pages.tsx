import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Logo } from '../../ui/logo.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSession } from '../../session/use-session.ts';
import { Code128 } from './code-128.tsx';
import { RegisteredDevice } from './registered-device.tsx';
import { Scanner } from './scanner.tsx';
import { SerialForm } from './serial-form.tsx';
import classes from './registry.module.css';

/** A page for everybody: people who aren't signed in have no header. */
function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  const { logged } = useSession();
  return (
    <div className={classes.page}>
      {!logged && (
        <Link to="/" className={classes.brand} aria-label="Headrace, home">
          <Logo size={30} /> Headrace
        </Link>
      )}
      <TitleBar title={title} back={logged ? '/' : undefined} />
      {children}
    </div>
  );
}

/** `/barcode` */
export function BarcodePage() {
  const navigate = useNavigate();
  const open = (serial: string) => void navigate({ to: '/barcode/$serial', params: { serial } });
  return (
    <PublicPage title="Scan a bar code">
      <div className={classes.panel}>
        <Scanner onFound={open} />
      </div>
      <SerialForm onSubmit={open} />
    </PublicPage>
  );
}

/** `/barcode/{serial}` */
export function SerialPage() {
  const { serial } = useParams({ from: '/barcode/$serial' });
  const again = (
    <Link to="/barcode" className={classes.way}>
      Scan another
    </Link>
  );
  return (
    <PublicPage title={serial}>
      <RegisteredDevice serialNumber={serial} otherwise={again}>
        {(found) => (
          <>
            <Code128 text={found.serialNumber} />
            {again}
          </>
        )}
      </RegisteredDevice>
    </PublicPage>
  );
}
