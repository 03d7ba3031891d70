/** The pages about tank telemetry, in one piece. */
export { TlmAddPage } from './add-page.tsx';
export { TlmPage } from './product-page.tsx';
export { TlmSignupPage } from './signup-page.tsx';
