import { lazy, Suspense } from 'react';
import { useSession } from '../session/use-session.ts';
import { PageSkeleton } from './page-skeleton.tsx';

const HomePage = lazy(() => import('../features/farms/home-page.tsx').then((m) => ({ default: m.HomePage })));
const LoginPage = lazy(() =>
  import('../features/accounts/login-page.tsx').then((m) => ({ default: m.LoginPage })),
);

/** `/`: the farms, or the sign-in form for people who aren't signed in. */
export function HomeRoute() {
  const { logged } = useSession();
  return <Suspense fallback={<PageSkeleton />}>{logged ? <HomePage /> : <LoginPage />}</Suspense>;
}
