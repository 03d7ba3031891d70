import { expect, it } from 'vitest';
import { wishIn } from './reply-words.ts';

it.each([
  ['OK', 'answer'],
  [' ok. ', 'answer'],
  ['Okay, on my way', 'answer'],
  ["I'm on it", 'answer'],
  ['On it mate', 'answer'],
  ['yes', 'answer'],
  ['STOP', 'stop'],
  ['Stop!', 'stop'],
  ['unsubscribe', 'stop'],
  ['START', 'start'],
  ['stop the pump', null],
  ['start the pump please', null],
  ['What is it?', null],
  ['', null],
  ['👍', null],
])('%j is taken for %j', (text, wish) => {
  expect(wishIn(text)).toBe(wish);
});
