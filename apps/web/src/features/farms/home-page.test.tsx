import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';

test('shows a card for each farm', async () => {
  renderApp('/');
  expect(await screen.findByRole('article', { name: 'Rākaia Downs' })).toBeTruthy();
});
