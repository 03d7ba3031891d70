import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';

const textOf = async (path: string, title: string, as: null | undefined) => {
  renderApp(path, as === null ? { as } : {});
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  return document.querySelector('article')?.textContent ?? '';
};

describe('the terms', () => {
  test('name every topic', async () => {
    const text = await textOf('/terms-of-use', 'Terms of Use', null);
    for (const topic of [
      'Last updated 06 November 2019',
      'New Zealand',
      'at least 18 years',
      'Privacy',
      'Electronic communications',
      'Restrictions',
      'Disclaimers',
      'Termination',
      'Governing law',
    ])
      expect(text).toContain(topic);
  });

  test('of privacy say what they have to', async () => {
    const text = await textOf('/privacy-policy', 'Privacy Policy', null);
    for (const topic of [
      'Last updated 06 November 2019',
      'uses no cookies',
      'respects Do Not Track',
      'under 18 are not permitted',
      'closed after outstanding fees are paid',
    ])
      expect(text).toContain(topic);
  });

  test.each([
    ['/terms-of-use', 'Terms of Use'],
    ['/privacy-policy', 'Privacy Policy'],
  ])('%s is there for people who are signed in, too', async (path, title) => {
    expect(await textOf(path, title, undefined)).toContain('Headrace');
  });
});

describe('the footer', () => {
  test.each(['/', '/login', '/nowhere', '/register/account-type'])(
    'of %s leads to terms and privacy',
    async (path) => {
      renderApp(path, { as: null });
      const footer = await screen.findByRole('contentinfo');
      const links = [...footer.querySelectorAll('a')].map((link) => [
        link.textContent,
        link.getAttribute('href'),
      ]);
      expect(links).toEqual([
        ['Terms of Use', '/terms-of-use'],
        ['Privacy Policy', '/privacy-policy'],
      ]);
    },
  );
});
