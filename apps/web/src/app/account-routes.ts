import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { safeRedirect } from '../features/accounts/redirect.ts';
import { firstMissing, type RegistrationStep } from '../features/registration/steps.ts';
import { requireLogin } from './guard.ts';
import { rootRoute } from './root-route.ts';
import { keySearch, loginSearch, termsSearch } from './search.ts';

/**
 * Pages for people who aren't signed in. It is also the way on after signing in: the session changes, and the page is
 * entered anew.
 */
function requireNobody({ search }: { search: { redirect?: string | undefined } }): void {
  if (session().logged) throw redirect({ href: safeRedirect(search.redirect) ?? '/', replace: true });
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: loginSearch,
  beforeLoad: requireNobody,
  component: lazyRouteComponent(() => import('../features/accounts/login-page.tsx'), 'LoginPage'),
  staticData: { title: 'Sign in' },
});

/** Whoever is signed in is signed out by it. */
const passwordlessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/$key',
  component: lazyRouteComponent(
    () => import('../features/accounts/passwordless-page.tsx'),
    'PasswordlessPage',
  ),
  staticData: { title: 'Sign in' },
});

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  validateSearch: loginSearch,
  beforeLoad: () => requireNobody({ search: {} }),
  component: lazyRouteComponent(() => import('../features/accounts/forgot-page.tsx'), 'ForgotPage'),
  staticData: { title: 'Forgot password' },
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: keySearch,
  beforeLoad: () => requireNobody({ search: {} }),
  component: lazyRouteComponent(() => import('../features/accounts/reset-page.tsx'), 'ResetPage'),
  staticData: { title: 'Reset password' },
});

const confirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('../features/accounts/confirm-page.tsx'), 'ConfirmPage'),
  staticData: { title: 'Confirm your e-mail address' },
});

const undoRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/undo-email',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('../features/accounts/undo-email-page.tsx'), 'UndoEmailPage'),
  staticData: { title: 'Keep your account' },
});

const unsubscribeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/unsubscribe',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('../features/accounts/unsubscribe-page.tsx'), 'UnsubscribePage'),
  staticData: { title: 'Notifications by e-mail' },
});

const typeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register/account-type',
  validateSearch: loginSearch,
  beforeLoad: requireNobody,
  component: lazyRouteComponent(() => import('../features/registration/type-page.tsx'), 'TypePage'),
  staticData: { title: 'Create an account' },
});

const stepPages = {
  terms: lazyRouteComponent(() => import('../features/registration/terms-page.tsx'), 'TermsPage'),
  contact: lazyRouteComponent(() => import('../features/registration/contact-page.tsx'), 'ContactPage'),
  farm: lazyRouteComponent(() => import('../features/registration/farm-page.tsx'), 'FarmPage'),
  agent: lazyRouteComponent(() => import('../features/registration/agent-page.tsx'), 'AgentPage'),
};

/** A later step without the earlier ones leads to the first of them that is missing. */
const stepRoute = <const Path extends string>(path: Path, step: RegistrationStep, title: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: termsSearch,
    beforeLoad: (visit) => {
      requireNobody(visit);
      const missing = firstMissing(step, visit.search);
      if (missing) throw redirect({ ...missing, replace: true });
    },
    component: stepPages[step],
    staticData: { title },
  });

const detailsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account-details',
  beforeLoad: requireLogin,
  component: lazyRouteComponent(
    () => import('../features/accounts/account-details-page.tsx'),
    'AccountDetailsPage',
  ),
  staticData: { title: 'Account Details', isPrivate: true },
});

const securityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/security',
  validateSearch: loginSearch,
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('../features/accounts/security-page.tsx'), 'SecurityPage'),
  staticData: { title: 'Password & Security', isPrivate: true },
});

const termsOfUseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/terms-of-use',
  component: lazyRouteComponent(() => import('../features/legal/legal-pages.tsx'), 'TermsOfUsePage'),
  staticData: { title: 'Terms of Use' },
});

const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/privacy-policy',
  component: lazyRouteComponent(() => import('../features/legal/legal-pages.tsx'), 'PrivacyPolicyPage'),
  staticData: { title: 'Privacy Policy' },
});

/** Signing in, registration, one's own account, and the terms that all of it is under. */
export const accountRoutes = [
  loginRoute,
  passwordlessRoute,
  forgotRoute,
  resetRoute,
  confirmRoute,
  undoRoute,
  unsubscribeRoute,
  typeRoute,
  stepRoute('/register/terms', 'terms', 'Terms of Use'),
  stepRoute('/register/contact', 'contact', 'Contact'),
  stepRoute('/register/farm', 'farm', 'Farm Details'),
  stepRoute('/register/agent', 'agent', 'Create an account'),
  detailsRoute,
  securityRoute,
  termsOfUseRoute,
  privacyRoute,
] as const;
