import type { ReactNode } from 'react';
import { useSession } from '../../session/use-session.ts';
import { HomeBrand } from '../../ui/home-brand.tsx';
import { PrivacyText } from './privacy-policy.tsx';
import { TERMS_DATE } from './product.ts';
import { TermsText } from './terms-of-use.tsx';
import classes from './legal.module.css';

function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  const { logged } = useSession();
  return (
    <article className={classes.page}>
      {!logged && <HomeBrand />}
      <h1>{title}</h1>
      <p className={classes.date}>Last updated {TERMS_DATE}</p>
      <div className={classes.text}>{children}</div>
    </article>
  );
}

/** `/terms-of-use` */
export const TermsOfUsePage = () => (
  <LegalPage title="Terms of Use">
    <TermsText />
  </LegalPage>
);

/** `/privacy-policy` */
export const PrivacyPolicyPage = () => (
  <LegalPage title="Privacy Policy">
    <PrivacyText />
  </LegalPage>
);
