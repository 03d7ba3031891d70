import { expect, test } from 'vitest';
import { pagePatterns } from '@headrace/contract/page-patterns';
import { renderApp } from '../testing/render-app.tsx';

test('the patterns by which pages are counted are those of the pages: add a new page’s to the contract', () => {
  const { router } = renderApp('/');
  expect(Object.keys(router.routesByPath).toSorted()).toEqual(
    pagePatterns.filter((pattern) => pattern !== '/404').toSorted(),
  );
});
