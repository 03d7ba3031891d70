import './ui/app.css';
import 'virtual:theme.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queries.ts';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');

const queryClient = createQueryClient();
const page = createRoot(root);
// In slices, and not with the reading of this code: done in one go it would hold up a slow phone.
setTimeout(() => {
  const router = createAppRouter(queryClient);
  startTransition(() =>
    page.render(
      <StrictMode>
        <App queryClient={queryClient} router={router} />
      </StrictMode>,
    ),
  );
});

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  // After the first load, so that it takes nothing from it. Without it the app still works, online.
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined));
}
